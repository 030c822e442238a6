// The mark of the tab: the bridge, and over it how many sessions wait.

const SIZE = 64;
const GROUND = "#3d63dd";
const BADGE = "#b3261e";

export function makeMark(): (waiting: number) => void {
  let plain: string | undefined; // where the page's own picture is
  let drawn = 0;
  return (waiting) => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!link || waiting === drawn) return;
    plain ??= link.href;
    const picture = waiting > 0 ? draw(badgeText(waiting)) : plain;
    if (!picture) return;
    drawn = waiting;
    link.type = waiting > 0 ? "image/png" : "image/svg+xml";
    link.href = picture;
  };
}

export function badgeText(waiting: number): string {
  return waiting > 9 ? "9+" : String(waiting);
}

function draw(badge: string): string | undefined {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE;
  const pen = canvas.getContext("2d");
  if (!pen) return undefined;
  drawBridge(pen);
  drawBadge(pen, badge);
  return canvas.toDataURL("image/png");
}

/// The same lines as icon.svg, whose field is half as wide.
function drawBridge(pen: CanvasRenderingContext2D): void {
  pen.fillStyle = GROUND;
  pen.beginPath();
  pen.roundRect(0, 0, SIZE, SIZE, 14);
  pen.fill();
  pen.strokeStyle = "#ffffff";
  pen.lineWidth = 5.2;
  pen.lineCap = "round";
  pen.stroke(new Path2D("M10 46h44M16 46v-10M48 46v-10M16 36 34 18M48 36 38 26"));
}

function drawBadge(pen: CanvasRenderingContext2D, text: string): void {
  pen.fillStyle = BADGE;
  pen.beginPath();
  pen.arc(SIZE - 22, SIZE - 22, 22, 0, 2 * Math.PI);
  pen.fill();
  pen.fillStyle = "#ffffff";
  pen.font = `bold ${text.length > 1 ? 26 : 34}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, SIZE - 22, SIZE - 20);
}
