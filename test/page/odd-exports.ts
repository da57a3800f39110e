import type { ExportedJob } from '../../src/shared/presentation/export-jobs.ts'
import { exportedJob } from './make-view.ts'

/** Words that a careless writer of a file would break it with. */
const ODD_WORDS = [
  'A red hangar',
  'a\u0000b\u0007c\u001bd',
  'half \ud800 a letter',
  'two \udc00\ud800 halves the wrong way round',
  '👩‍🚀 \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} ❤️',
  'a ]]> b <![CDATA[ c -->',
  `<b>"it's" & &amp; &#0; more</b>`,
  'חנות \u202eturned\u202c \u200fعربي',
  'x'.repeat(10_000),
  ' spaces\t\tand\r\n lines \n',
  'a\u0085b\u2028c\u00a0d\u200b\ufeffe',
  '\ufffe\uffff only these',
  '=1+1',
  '-2',
  '+SUM(A1:A9)',
  '@x;"y",z',
  '\u0007',
  '',
]

const ODD_NAMES = ['plain.jpg', 'new\nline.jpg', 'tab\t.jpg', `"it's" <&>.jpg`, '=1+1.jpg', 'ü_%2e🛩.jpg', 'חנות.jpg']

/** One picture for each odd word, as alt text and file name in English, German and Hebrew; some have odd names as well. */
export function oddJobs(): ExportedJob[] {
  const [text] = exportedJob({}).texts
  return ODD_WORDS.map((words, n) => {
    const job = exportedJob({ name: ODD_NAMES[n] ?? `${n}.jpg` })
    const texts = ['en', 'de', 'he'].map((languageCode) => ({
      ...text!,
      languageCode,
      altText: words,
      seoFilename: words,
    }))
    return { ...job, path: `/pictures/${n}/${job.row.name}`, texts }
  })
}
