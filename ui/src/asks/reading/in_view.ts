// Whether something is on the screen, past all that cuts it off.

const SLACK = 2; // pixels: browsers round
const CUTTING = new Set(["auto", "scroll", "hidden", "clip"]); // ways to overflow

/// Whether its lower edge is inside of everything that cuts it off.
export function isEndInView(element: HTMLElement): boolean {
  return isInside(element, element.getBoundingClientRect().bottom);
}

/// Both edges; of what is higher than its place the lower one, where the answers are.
export function isInView(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return isInside(element, bottom) && (isInside(element, top) || bottom - top > heightOfPlace(element));
}

function isInside(element: HTMLElement, y: number): boolean {
  if (y > window.innerHeight + SLACK || y < -SLACK) return false;
  return places(element).every(({ top, bottom }) => y <= bottom + SLACK && y >= top - SLACK);
}

function heightOfPlace(element: HTMLElement): number {
  return Math.min(window.innerHeight, ...places(element).map(({ height }) => height));
}

function places(element: HTMLElement): DOMRect[] {
  const found: DOMRect[] = [];
  for (let outer = element.parentElement; outer; outer = outer.parentElement)
    if (CUTTING.has(getComputedStyle(outer).overflowY)) found.push(outer.getBoundingClientRect());
  return found;
}
