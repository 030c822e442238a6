// What the page says of itself, by the browser's own clock; put into it before anything of its own runs.
(() => {
  const GAP = 36; // pixels that may lie between two blocks, or between one and an edge
  const probe = { clickedAt: 0, keys: [], frames: [] };
  window.probe = probe;

  /// The time at which what is now to be seen has been painted.
  const afterPaint = (then) =>
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => then(performance.now());
      channel.port2.postMessage(0);
    });

  /// When something is first on the screen: looked for once a frame.
  probe.until = (isThere) =>
    new Promise((done) => {
      const look = () => (isThere() ? afterPaint(done) : requestAnimationFrame(look));
      look();
    });

  /// The end of a log fills its window: blocks that can be seen lie from its last one up to its top without a hole.
  /// By where they lie, not by what is under a point: a list that has just scrolled lets the pointer through.
  probe.isAtEnd = (last) => {
    const log = document.querySelector('[role="log"]');
    const end = log?.querySelector(`[data-block="${last}"]`);
    if (!end) return false;
    const view = log.getBoundingClientRect();
    const seen = [...log.querySelectorAll("[data-block], [data-item]")]
      .filter((block) => block.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .map((block) => block.getBoundingClientRect())
      .sort((one, other) => other.top - one.top);
    const bottom = end.getBoundingClientRect().bottom;
    if (bottom > view.bottom + 1 || bottom < view.bottom - GAP || seen[0]?.bottom !== bottom) return false;
    let top = bottom;
    for (const block of seen) {
      if (block.bottom < top - GAP) return false;
      top = Math.min(top, block.top);
    }
    return top <= view.top + GAP;
  };

  probe.recordFrames = (seconds) =>
    new Promise((done) => {
      const from = performance.now();
      let last = from;
      const frame = (now) => {
        probe.frames.push(now - last);
        last = now;
        if (now - from < seconds * 1000) requestAnimationFrame(frame);
        else done(probe.frames.splice(1));
      };
      requestAnimationFrame(frame);
    });

  /// What had come over the wire by then: name, bytes as sent, bytes as used.
  probe.downloads = (at) =>
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .filter((entry) => entry.responseEnd <= at)
      .map((entry) => [new URL(entry.name).pathname, entry.encodedBodySize, entry.decodedBodySize]);

  addEventListener("click", (event) => (probe.clickedAt = event.timeStamp), true);
  addEventListener(
    "keydown",
    (event) => afterPaint((now) => probe.keys.push(now - event.timeStamp)),
    true,
  );
  probe.listed = probe.until(() => document.querySelector('[role="option"]'));
})();
