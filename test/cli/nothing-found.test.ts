import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nothingFoundText } from '../../src/main/cli/dry-run.ts'
import { tempFolder } from '../files/temp-folder.ts'

it('says that links are not followed, where they are all that there is', async () => {
  const dir = await tempFolder()
  await mkdir(join(dir, 'album'))
  await writeFile(join(dir, 'album', 'notes.txt'), '')
  await symlink('notes.txt', join(dir, 'album', 'latest.txt'))
  expect(await nothingFoundText(['.'], dir)).toMatch(/^No pictures were found there\. /)
  await symlink('../.git/annex/objects/a.jpg', join(dir, 'album', 'a.jpg'))
  expect(await nothingFoundText(['.'], dir)).toMatch(/which Hangar does not follow.*git annex unlock/)
  expect(await nothingFoundText(['missing'], dir)).toMatch(/^No pictures were found there\. /)
})
