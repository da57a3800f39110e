import { MAX_IMPORT_BYTES } from '../../shared/recipes/limits.ts'
import { raw, type Sentence } from '../../shared/sentences/sentence.ts'
import { inBackground } from '../bridge/in-background.ts'
import { placesOf } from './bridge.ts'
import { sentenceIn } from './error-text.ts'
import { useShell } from './shell-store.ts'
import { toast } from './toasts.ts'

const MEGABYTE = 1_000_000

/** A token in a window that knows where the file is, else bytes in base64, which are gzip where the file is larger than a message. */
export type ChosenFile = { file: string } | { data: string; isPacked?: true }

interface FileToTake {
  accept: string
  tooLarge: (megabytes: number) => Sentence
  unreadable: (why: ReturnType<typeof raw>) => Sentence
  maxBytes: number
  /** Resolves to why the file is refused; null if it is not. */
  take: (name: string, file: ChosenFile) => Promise<string | null>
}

/** Lets a person choose a file. A toast says why it cannot be taken. */
export function chooseFile(wanted: FileToTake): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = wanted.accept
  input.onchange = () => {
    const [file] = input.files ?? []
    if (file !== undefined) inBackground(() => taken(file, wanted))
  }
  input.click()
}

async function taken(file: File, wanted: FileToTake): Promise<void> {
  const given = await read(file, wanted)
  // That it is gone was said.
  if (given === null) return
  const why = 'code' in given || 'raw' in given ? sentenceIn(given) : await wanted.take(file.name, given)
  if (why !== null) toast(`${file.name}: ${why}`, { bad: true })
}

/** The file, or why it cannot be read: it may have gone since it was chosen. */
async function read(file: File, { maxBytes, tooLarge, unreadable }: FileToTake): Promise<ChosenFile | Sentence | null> {
  if (file.size > maxBytes) return tooLarge(maxBytes / MEGABYTE)
  const isLarge = file.size > MAX_IMPORT_BYTES
  if (isLarge && useShell.getState().state?.app.capabilities.includes('dropPaths') === true) {
    const [place] = await placesOf([file])
    return place === undefined ? null : { file: place.token }
  }
  try {
    if (!isLarge) return { data: await inBase64(file) }
    const packed = await new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob()
    return packed.size > MAX_IMPORT_BYTES
      ? tooLarge(MAX_IMPORT_BYTES / MEGABYTE)
      : { data: await inBase64(packed), isPacked: true }
  } catch (error) {
    return unreadable(raw(error instanceof Error ? error.message : String(error)))
  }
}

function inBase64(file: Blob): Promise<string> {
  return new Promise((done, fail) => {
    const reader = new FileReader()
    reader.onload = () => done((reader.result as string).replace(/^[^,]*,/, ''))
    reader.onerror = () => fail(reader.error ?? new Error())
    reader.readAsDataURL(file)
  })
}
