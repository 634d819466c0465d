const scheme = 'app:'
const host = 'tessera'

/** The page of the desktop host. */
export const appUrl = `${scheme}//${host}/index.html`

/** Whether a URL is one of the desktop host's own page. */
export function isAppUrl(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed?.protocol === scheme && parsed.host === host
}

/** Whether a link may be handed to the system's browser: https, and no name or password in it. */
export function isExternalLink(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed?.protocol === 'https:' && parsed.username === '' && parsed.password === ''
}
