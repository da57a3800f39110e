import { foreignFolder } from '../../shared/jobs/foreign-folders.ts'
import { pictureSuffix } from '../../shared/jobs/picture-name.ts'

/**
 * The files of a drop or a paste in a browser. Folders are walked as those that Hangar reads itself, and their pictures have the path
 * below the dropped folder as `webkitRelativePath`. Must be called in the event itself; files that cannot be read are left out.
 */
export async function droppedFiles({ items }: DataTransfer): Promise<File[]> {
  // The list is emptied when the event ends.
  const dropped = [...items]
    .filter((item) => item.kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }))
  const files: File[] = []
  for (const { entry, file } of dropped) {
    if (entry?.isDirectory === true) files.push(...(await walk(entry as FileSystemDirectoryEntry)))
    else if (file !== null) files.push(file)
  }
  return files
}

async function walk(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const files: File[] = []
  for (const entry of await entriesOf(folder)) {
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory) {
      if (foreignFolder(entry.name) === null) files.push(...(await walk(entry as FileSystemDirectoryEntry)))
    } else if (pictureSuffix(entry.name) !== null) {
      const file = await fileOf(entry as FileSystemFileEntry)
      if (file !== null) files.push(file)
    }
  }
  return files
}

/** A reader returns up to a hundred entries per call, and none at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const entries: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])))
    if (some.length === 0) return entries
    entries.push(...some)
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File | null> {
  return new Promise((resolve) =>
    entry.file(
      (file) => {
        // Browsers leave this empty for files of a dropped folder.
        Object.defineProperty(file, 'webkitRelativePath', { value: entry.fullPath.replace(/^\//, '') })
        resolve(file)
      },
      () => resolve(null),
    ),
  )
}
