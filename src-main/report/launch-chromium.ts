import type { Browser } from 'playwright-core'

/** Starts a headless Chromium that also runs as root, without a GPU and with a small /dev/shm. */
export async function launchChromium(executablePath: string): Promise<Browser> {
  // Loaded only when something is printed: it takes longer than most commands.
  const { chromium } = await import('playwright-core')
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-extensions',
      '--no-first-run',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  })
}
