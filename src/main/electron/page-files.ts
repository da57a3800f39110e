import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'

/** The types of files the page consists of. No other type is served. */
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.geojson': 'application/geo+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

export interface PageFile {
  path: string
  contentType: string
}

/**
 * The page's files by the path of their address, as they are at start. Only listed files can be requested, so no
 * spelling of a path leads out of the folder; links are not followed. Throws when the folder is missing.
 */
export function listPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>()
  const visit = (dir: string, address: string): void => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const path = join(dir, entry.name)
      const contentType = TYPES[extname(entry.name).toLowerCase()]
      if (entry.isDirectory()) visit(path, `${address}${entry.name}/`)
      else if (entry.isFile() && contentType !== undefined) files.set(`${address}${entry.name}`, { path, contentType })
    }
  }
  visit(folder, '/')
  return files
}
