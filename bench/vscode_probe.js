// What a window of the editor says of itself, by the browser's own clock; in each of its frames.
(() => {
  const probe = { clickedAt: 0, keys: [], now: () => performance.timeOrigin + performance.now() };
  window.probe = probe;
  const at = (event) => performance.timeOrigin + event.timeStamp;
  addEventListener("click", (event) => (probe.clickedAt = at(event)), true);
  addEventListener(
    "keydown",
    (event) =>
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => probe.keys.push(probe.now() - at(event));
        channel.port2.postMessage(0);
      }),
    true,
  );
  probe.painted = new Promise((done) =>
    new PerformanceObserver((list) => {
      const first = list.getEntriesByName("first-contentful-paint")[0];
      if (first) done(performance.timeOrigin + first.startTime);
    }).observe({ type: "paint", buffered: true }),
  );
})();
