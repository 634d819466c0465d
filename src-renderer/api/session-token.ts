const KEY = 'tessera.token'

/**
 * The token that the browser host put into the address of the page. It is kept for this tab and
 * taken out of the address bar, so that it ends up in no bookmark and no screenshot.
 */
export function takeSessionToken(
  page: Pick<Window, 'location' | 'history' | 'sessionStorage'>,
): string {
  const address = new URL(page.location.href)
  const token = address.searchParams.get('token')
  if (token === null) return page.sessionStorage.getItem(KEY) ?? ''
  page.sessionStorage.setItem(KEY, token)
  address.searchParams.delete('token')
  page.history.replaceState(page.history.state, '', address)
  return token
}

/** Where the browser host listens. */
export const socketAddress = (
  location: Pick<Location, 'host' | 'protocol'>,
  token: string,
): string =>
  `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws?token=${encodeURIComponent(token)}`
