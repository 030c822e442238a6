// What the page says of itself, by the browser's own clock; put into it before anything of its own runs.
(() => {
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

  /// The end of a log fills its window: from its last block up to its top.
  probe.isAtEnd = (last) => {
    const log = document.querySelector('[role="log"]');
    const block = log?.querySelector(`[data-block="${last}"]`)?.getBoundingClientRect();
    if (!block) return false;
    const view = log.getBoundingClientRect();
    const above = document.elementFromPoint(view.left + view.width / 2, view.top + 40);
    return block.bottom <= view.bottom + 1 && block.top >= view.top && above?.closest("[data-block]") !== null;
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
