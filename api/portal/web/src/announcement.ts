// Announcements to screen readers.

/** Announces a text to screen readers. */
export function announce(text: string): void {
  const place = document.getElementById("announcement");
  if (!place) {
    return;
  }
  place.textContent = "";
  // Screen readers skip a text that has not changed.
  setTimeout(() => (place.textContent = text), 50);
}
