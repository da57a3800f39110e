/** What the service takes, by name: other files in a dropped folder were hardly meant. */
const PICTURE = /\.(jpe?g|png|gif|webp)$/i

/**
 * The files of a drop in a browser: folders are walked, and their pictures carry the path below the dropped folder as
 * `webkitRelativePath`. Must be called in the drop event itself; what can be read no longer is left out.
 */
export async function droppedFiles(items: DataTransferItemList): Promise<File[]> {
  // Both are gone once the event is over.
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
    if (entry.isDirectory) files.push(...(await walk(entry as FileSystemDirectoryEntry)))
    else if (PICTURE.test(entry.name)) {
      const file = await fileOf(entry as FileSystemFileEntry)
      if (file !== null) files.push(file)
    }
  }
  return files
}

/** A reader gives a hundred entries at a time, and none when it has no more. */
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
        // The platform leaves this empty for files out of a dropped folder.
        Object.defineProperty(file, 'webkitRelativePath', { value: entry.fullPath.replace(/^\//, '') })
        resolve(file)
      },
      () => resolve(null),
    ),
  )
}
