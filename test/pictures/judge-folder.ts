import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SIDECAR_SUFFIX } from '../../src/shared/jobs/sidecar.ts'
import { runCli } from '../cli/harness.ts'
import { copyPictures } from './copy-pictures.ts'
import { isReplaced, judgeOriginal, judgePicture, type Judged, type Policy } from './judge-picture.ts'
import { ExifTool } from './programs.ts'
import { Report } from './report.ts'
import { runHangar, type Outcome, type Ran } from './run-hangar.ts'

export interface FolderOptions {
  policy: Policy
  operation: 'process' | 'optimize' | 'convert' | 'analyze'
  /** Where compressed files go. */
  output: 'beside' | 'replace'
  /** Whether converted files are kept that are no smaller. */
  keepsLarger: boolean
  /** At most as many pictures. */
  limit: number
  /** Pictures judged at a time. */
  atATime: number
  /** What is going on, for people. */
  say: (line: string) => void
  /** Gets each picture once it is judged. */
  onJudged?: (judged: Judged) => Promise<void>
  /** For tests of the judges: changes what Hangar left in the copy before it is judged. */
  beforeJudging?: (folder: string, ran: Ran) => Promise<void>
}

/** Judges all that Hangar makes of a copy of a folder, which is only read. `isClean` of the report says whether nothing is wrong. */
export async function judgeFolder(from: string, options: FolderOptions): Promise<Report> {
  const { policy, operation, say } = options
  const scratch = await mkdtemp(join(tmpdir(), 'hangar-pictures-'))
  const exiftool = new ExifTool()
  try {
    const copy = join(scratch, 'pictures')
    await mkdir(copy)
    const { pictures, leftOut } = await copyPictures(from, copy, options.limit)
    for (const [what, times] of leftOut) say(`left out: ${times} × ${what}`)
    say(`${pictures.length} pictures are copied; Hangar runs`)
    const ran = await runHangar(copy, {
      dataDir: join(scratch, 'data'),
      options: [
        ...`--operation ${operation} --format ${policy.format} --quality ${policy.quality}`.split(' '),
        ...`--metadata ${policy.metadata} --long-edge ${policy.longEdge ?? 0}`.split(' '),
        ...`--output ${options.output} --if-larger ${options.keepsLarger ? 'keep' : 'drop'}`.split(' '),
        ...(policy.widths.length === 0 ? [] : ['--widths', policy.widths.join(',')]),
        ...(policy.embedTexts ? ['--embed-texts', '--languages', 'en,de'] : []),
      ],
      onProgress: every(250, (begun) => say(`${begun} of ${pictures.length} begun`)),
    })
    say(`Hangar ended with ${ran.exitCode} after ${ran.seconds.toFixed(0)} s; the judges begin`)
    await options.beforeJudging?.(copy, ran)
    const report = new Report()
    let judgedCount = 0
    const progress = every(250, (count) => say(`${count} of ${pictures.length} judged`))
    await inParallel(pictures, options.atATime, async (picture) => {
      const judged = await judgePicture(picture, ran.outcomes.get(picture.path), policy, exiftool)
      const shown = { ...judged, path: judged.path.slice(copy.length + 1) }
      report.add(shown)
      await options.onJudged?.(shown)
      progress((judgedCount += 1))
    })
    if (ran.exitCode !== 0 && ran.exitCode !== 1)
      report.addWrong(`Hangar ended with ${ran.exitCode}: ${ran.stderr.slice(-500)}`)
    const replaced = pictures.filter((picture) => isReplaced(picture, ran.outcomes.get(picture.path)))
    if (replaced.length > 0) {
      say(`${replaced.length} originals were replaced and are brought back`)
      const { code, stderr } = await runCli(['restore', copy])
      if (code !== 0) report.addWrong(`not every original came back: ${stderr.slice(-500)}`)
      for (const picture of replaced)
        report.addFinding(picture.path.slice(copy.length + 1), await judgeOriginal(picture))
    }
    const known = new Set(pictures.map(({ path }) => path))
    for (const path of await strayFiles(copy, known, ran.outcomes)) report.addWrong(`left behind: ${path}`)
    return report
  } finally {
    exiftool.close()
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Files that are neither pictures nor results, such as parts that were not cleaned up. */
async function strayFiles(
  folder: string,
  pictures: ReadonlySet<string>,
  outcomes: ReadonlyMap<string, Outcome>,
): Promise<string[]> {
  const results = new Set([...outcomes.values()].flatMap(({ outputs = [] }) => outputs.map(({ path }) => path)))
  const stray: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory() || pictures.has(path) || results.has(path)) continue
    if (!path.endsWith(SIDECAR_SUFFIX)) stray.push(path.slice(folder.length + 1))
  }
  return stray
}

function every(step: number, tell: (count: number) => void): (count: number) => void {
  return (count) => {
    if (count % step === 0) tell(count)
  }
}

async function inParallel<Item>(
  items: readonly Item[],
  atATime: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item)
  }
  await Promise.all(Array.from({ length: atATime }, worker))
}
