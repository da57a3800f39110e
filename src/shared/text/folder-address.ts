/** The address of a folder on the web, so that names of files can be put after it; null for anything else, also with a password in it. */
export function folderAddress(text: string): string | null {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  if (/[?#]/.test(url.href)) return null
  return url.href.replace(/\/?$/, '/').replaceAll('|', '%7C')
}
