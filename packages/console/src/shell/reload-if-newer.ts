const key = 'memhall.reloaded';
/** A page whose code is not there even then must not be loaded over and over. */
const againAfterMs = 30_000;

/** Loads the page again if its server has other files than when it was opened: a newer server does not have the code of older pages. */
export function reloadIfNewer(): void {
  window.addEventListener('vite:preloadError', () => {
    if (Date.now() - Number(window.sessionStorage.getItem(key)) < againAfterMs) return;
    window.sessionStorage.setItem(key, String(Date.now()));
    window.location.reload();
  });
}
