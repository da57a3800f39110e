import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openFolder } from '../../src/main/files/folder-handle.ts'
import { keptOriginalsOf, openOriginals, recordReplacement } from '../../src/main/files/kept-originals.ts'
import { replaceOriginal } from '../../src/main/files/replace-original.ts'
import { stageFile } from '../../src/main/files/stage-file.ts'
import { jobId, sha256, tempFolder } from './temp-folder.ts'

it('the record of a kept original waits for another Hangar that is still writing it', async () => {
  const dir = await tempFolder()
  const path = join(dir, 'photo.jpg')
  await writeFile(path, 'original')
  const request = { rootDir: dir, targetDir: dir, jobId: jobId(1), role: 'optimized', maxBytes: 1000 } as const
  const part = await stageFile(request, (sink) => sink(Buffer.from('first')))
  await replaceOriginal({ path, part, sha256: sha256('original'), onPlanned: () => undefined })
  const [kept] = await keptOriginalsOf(path)
  const record = `${kept!.filePath}.json`
  const theirs = JSON.parse(await readFile(record, 'utf8')) as { replacedBy: string[] }
  theirs.replacedBy.push(sha256('theirs'))

  const folder = await openFolder(dir, dir)
  const originals = await openOriginals(folder, false)
  const file = await open(kept!.filePath)
  const draft = await open(`${record}.draft`, 'wx')
  const ours = recordReplacement(originals!, kept!, sha256('ours'), file)
  // As slow as a disk may be, and all the time at work.
  await draft.writeFile(JSON.stringify(theirs))
  for (let n = 0; n < 100; n++) {
    await draft.write('\n')
    await delay(20)
  }
  await draft.close()
  await rename(`${record}.draft`, record)
  await ours
  for (const held of [file, originals!, folder]) await held.close()
  const [after] = await keptOriginalsOf(path)
  expect(after?.record.replacedBy).toEqual([sha256('first'), sha256('theirs'), sha256('ours')])
})
