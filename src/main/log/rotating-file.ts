import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'

interface RotatingFile {
  write(line: string): void
  close(): void
}

interface RotatingFileOptions {
  /** Made if it is missing. */
  folder: string
  /** `hangar.log` is the newest; `hangar.1.log` the one before it, and so on. */
  name: string
  maxBytes: number
  maxFiles: number
}

/** Follows no link and waits for no pipe. Windows has neither flag. */
const APPEND_WITHOUT_FOLLOWING =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  ((constants.O_NOFOLLOW as number | undefined) ?? 0) |
  ((constants.O_NONBLOCK as number | undefined) ?? 0)

/**
 * Appends lines to a file for this user alone, and starts a new one before it would exceed `maxBytes`. A line that cannot be written, or
 * comes after `close`, is dropped: the data folder may be another process's by then. Nothing is written through a link.
 */
export function openRotatingFile({ folder, name, maxBytes, maxFiles }: RotatingFileOptions): RotatingFile {
  let isOver = false
  let open: { descriptor: number; sizeBytes: number } | null = null

  const place = (age: number): string => path.join(folder, age === 0 ? `${name}.log` : `${name}.${age}.log`)

  const openNewest = (): { descriptor: number; sizeBytes: number } => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!lstatSync(folder).isDirectory()) throw new Error(`${folder} is a link`)
    const descriptor = openSync(place(0), APPEND_WITHOUT_FOLLOWING, 0o600)
    const stats = fstatSync(descriptor)
    if (stats.isFile()) return { descriptor, sizeBytes: stats.size }
    closeSync(descriptor)
    throw new Error(`${place(0)} is no file`)
  }

  const close = (): void => {
    if (open === null) return
    const { descriptor } = open
    open = null
    closeSync(descriptor)
  }

  const rotate = (): void => {
    close()
    rmSync(place(maxFiles - 1), { force: true })
    for (let age = maxFiles - 2; age >= 0; age -= 1) renameIfPresent(place(age), place(age + 1))
  }

  return {
    write: (line) => {
      if (isOver) return
      const bytes = Buffer.from(line, 'utf8')
      try {
        open ??= openNewest()
        if (open.sizeBytes > 0 && open.sizeBytes + bytes.length > maxBytes) {
          rotate()
          open = openNewest()
        }
        writeSync(open.descriptor, bytes)
        open.sizeBytes += bytes.length
      } catch {
        closeQuietly(close)
      }
    },
    close: () => {
      isOver = true
      closeQuietly(close)
    },
  }
}

function renameIfPresent(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function closeQuietly(close: () => void): void {
  try {
    close()
  } catch {
    // A descriptor that cannot be closed is gone already.
  }
}
