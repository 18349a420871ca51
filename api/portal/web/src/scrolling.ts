// Blocks that scroll take focus, so that arrow keys scroll them, and show on which side there is more.

/** Watches all blocks that are wide. */
export function showScrolling(): void {
  for (const block of document.querySelectorAll<HTMLElement>(".wide")) {
    const show = (): void => {
      const hidden = block.scrollWidth - block.clientWidth;
      block.tabIndex = hidden > 0 ? 0 : -1;
      block.classList.toggle("more-left", block.scrollLeft > 1);
      block.classList.toggle("more-right", block.scrollLeft < hidden - 1);
    };
    const observer = new ResizeObserver(show);
    [block, ...block.children].forEach((element) => observer.observe(element));
    block.addEventListener("scroll", show, { passive: true });
  }
}
