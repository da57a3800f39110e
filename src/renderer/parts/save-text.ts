/** Downloads a text as a file; the browser or the shell asks where to save it. */
export function saveText(filename: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = filename
  link.click()
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
