/** What `crash.long.test.ts` kills: publishes `new`, exchanges our own `old`, or replaces an original. Arguments: publish|exchange|replace, folder, job id. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { exchangeFile, publishFile } from '../../src/main/files/publish-file.ts'
import { replaceOriginal } from '../../src/main/files/replace-original.ts'
import { stageFile } from '../../src/main/files/stage-file.ts'

const [what, dir = '', jobId = ''] = process.argv.slice(2)
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const request = { rootDir: dir, targetDir: dir, jobId, role: 'optimized', maxBytes: 100 } as const
const part = await stageFile(request, async (sink) => {
  for (const letter of 'new') await sink(Buffer.from(letter))
})
if (what === 'publish') {
  const names = (n: number): string => (n === 1 ? 'out.jpg' : `out-${n}.jpg`)
  await publishFile({ part, names, isOwn: () => sha256('old'), onPlanned: () => undefined })
} else if (what === 'exchange') {
  await exchangeFile({ part, name: 'out.jpg', recorded: sha256('old'), onPlanned: () => undefined })
} else {
  const path = join(dir, 'out.jpg')
  await replaceOriginal({ replacer: 'ours', path, part, sha256: sha256('old'), onPlanned: () => undefined })
}
