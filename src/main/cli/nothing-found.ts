import { resolve } from 'node:path'
import { hasLinkedPictures } from '../watch/linked-pictures.ts'

/** What to say where no picture was found under the paths. */
export async function nothingFoundText(paths: readonly string[], cwd: string): Promise<string> {
  if (await hasLinkedPictures(paths.map((path) => resolve(cwd, path))))
    return 'No pictures were found there but links to some, which Hangar does not follow. Name the folder that they lead to, or put the files in their place (git-annex: git annex unlock).'
  return 'No pictures were found there. Hangar takes JPEG, PNG, GIF, WebP, TIFF, AVIF and HEIC files.'
}
