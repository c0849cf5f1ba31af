// What ends together: listeners, observers and subscriptions of what the page shows of its runs. Elements end by themselves
// once nothing holds them.

export class Scope {
  constructor() {
    this.events = new AbortController();
    /** @type {Set<() => void>} */
    this.ends = new Set();
  }

  /** @param {EventTarget} target @param {string} type @param {(event: any) => void} listener @param {object} [options] */
  listen(target, type, listener, options = {}) {
    target.addEventListener(type, listener, { ...options, signal: this.events.signal });
  }

  /** @param {Element} node @param {() => void} changed  its size */
  observeSize(node, changed) {
    const observer = new ResizeObserver(changed);
    observer.observe(node);
    this.add(() => observer.disconnect());
  }

  /** @param {() => void} end @returns {() => void} ends it now */
  add(end) {
    this.ends.add(end);
    return () => {
      if (this.ends.delete(end)) end();
    };
  }

  end() {
    this.events.abort();
    for (const end of this.ends) end();
    this.ends.clear();
  }
}
