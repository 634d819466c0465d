import { protocol } from 'electron'
import { isAppUrl } from '#main/page/app-url.ts'
import { readPageFile } from '#main/page/page-files.ts'
import { pageHeaders } from '#main/page/page-headers.ts'

/** Makes `app:` a scheme with an origin, like https; before the app is ready. */
export function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ])
}

/** Serves the built page at `app:`; after the app is ready. */
export function serveAppScheme(pageDirectory: string): void {
  protocol.handle('app', async ({ url, method }) => {
    const isWanted = isAppUrl(url) && method === 'GET'
    const file = isWanted ? await readPageFile(pageDirectory, new URL(url).pathname) : undefined
    if (file === undefined)
      return new Response('not found', { status: 404, headers: pageHeaders() })
    return new Response(file.body, {
      headers: { ...pageHeaders(), 'content-type': file.contentType, 'cache-control': 'no-store' },
    })
  })
}
