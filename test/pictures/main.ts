/** `npm run test:pictures -- DIR`: has other programs judge what Hangar makes of a folder's copy. Ends with 1 where something is wrong, 2 for bad usage. */
import { createWriteStream, statSync } from 'node:fs'
import { once } from 'node:events'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { judgeFolder, type FolderOptions } from './judge-folder.ts'
import type { Policy } from './judge-picture.ts'
import { missingJudges } from './programs.ts'

const USAGE = `npm run test:pictures -- DIR [options]

  --operation process|optimize|convert|analyze   (process)
  --format webp|avif                             (webp)
  --quality N                                    (80)
  --metadata no-location|keep|strip              (no-location)
  --long-edge PX                                 (0: none)
  --widths LIST                                  narrower files as well, as in 320,640
  --embed-texts                                  English and German texts in the files, read back by exiftool
  --output beside|replace                        (beside); replaced originals are brought back and compared
  --if-larger drop|keep                          (drop); keep has every converted file judged
  --limit N                                      at most N pictures, spread evenly
  --at-a-time N                                  pictures judged at once (2)
  --json FILE                                    one JSON object a line for each picture`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    operation: { type: 'string', default: 'process' },
    format: { type: 'string', default: 'webp' },
    quality: { type: 'string', default: '80' },
    metadata: { type: 'string', default: 'no-location' },
    'long-edge': { type: 'string', default: '0' },
    widths: { type: 'string', default: '' },
    'embed-texts': { type: 'boolean', default: false },
    output: { type: 'string', default: 'beside' },
    'if-larger': { type: 'string', default: 'drop' },
    limit: { type: 'string' },
    'at-a-time': { type: 'string', default: '2' },
    json: { type: 'string' },
  },
})

async function main(): Promise<number> {
  const [dir] = positionals
  if (dir === undefined || statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true) {
    process.stderr.write(`${USAGE}\n`)
    return 2
  }
  const missing = await missingJudges()
  if (missing.length > 0) {
    process.stderr.write(`Judges that are not here: ${missing.join(', ')}\n`)
    return 2
  }
  const policy: Policy = {
    format: values.format === 'avif' ? 'avif' : 'webp',
    quality: Number(values.quality),
    metadata: values.metadata as Policy['metadata'],
    longEdge: Number(values['long-edge']) || null,
    widths: values.widths.split(',').flatMap((width) => (width === '' ? [] : [Number(width)])),
    embedTexts: values['embed-texts'],
  }
  const details = values.json === undefined ? null : createWriteStream(values.json)
  const report = await judgeFolder(dir, {
    policy,
    operation: values.operation as FolderOptions['operation'],
    output: values.output === 'replace' ? 'replace' : 'beside',
    keepsLarger: values['if-larger'] === 'keep',
    limit: values.limit === undefined ? Infinity : Number(values.limit),
    atATime: Number(values['at-a-time']),
    say: (line) => process.stderr.write(`${line}\n`),
    onJudged: async (judged) => {
      if (details?.write(`${JSON.stringify(judged)}\n`) === false) await once(details, 'drain')
    },
  })
  details?.end()
  process.stdout.write(`${report.text()}\n`)
  return report.isClean ? 0 : 1
}

process.exitCode = await main()
