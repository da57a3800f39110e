import type { FileFormat } from '../../shared/chargers/exports/charger-files.ts'
import { today } from '../../shared/runtime/local-day.ts'
import { askOrToast } from './bridge.ts'
import { useShell } from './shell-store.ts'

/** A download in a browser. Resolves to the name of the file; null when it was cancelled or failed, which a toast says. */
export async function saveText(filename: string, type: string, text: string): Promise<string | null> {
  const { state } = useShell.getState()
  if (state?.app.capabilities.includes('saveFiles') === true)
    return (await askOrToast('places.saveText', { filename, text }))?.savedAs ?? null
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = filename
  link.click()
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
  return filename
}

const TYPES: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv;charset=utf-8',
  geojson: 'application/geo+json',
  gpx: 'application/gpx+xml',
  cup: 'text/plain;charset=utf-8',
}

/** Saves a file of chargers, a route or places under today's date; a table with a byte order mark, which spreadsheets need. */
export const saveChargers = (stem: string, format: FileFormat, text: string): Promise<string | null> =>
  saveText(`${stem}-${today()}.${format}`, TYPES[format], format === 'csv' ? `\ufeff${text}` : text)
