/** Returns the URL path of an uploaded asset, for `src` and `href` on pages and in server code. */
export const assets = {
  url: (path: string): string => `/_app/assets/${path.split('/').map(encodeURIComponent).join('/')}`,
}
