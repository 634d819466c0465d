/** Offers a text to the person as a file. */
export function downloadText(fileName: string, text: string, type = 'application/json'): void {
  downloadBlob(fileName, new Blob([text], { type }))
}

/** Offers bytes to the person as a file. */
export function downloadBlob(fileName: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  followDownload(address, fileName)
  setTimeout(() => {
    URL.revokeObjectURL(address)
  }, 10_000)
}

/** Starts the download of a file that an address serves. */
export function followDownload(address: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
}

/** A name that every file system takes: 'MHA prefill, D 128' becomes 'mha-prefill-d-128'. */
export const fileNameOf = (title: string, extension: string): string => {
  const stem = title
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
  return `${stem === '' ? 'tessera' : stem}.${extension}`
}
