import type { RefusedUpload } from '../bridge/connection.ts'
import { sentenceIn } from '../store/error-text.ts'
import { FileName } from '../parts/file-name.tsx'

/** Files that were refused during an upload, each with the reason. */
export function LeftOutList({ files }: { files: readonly RefusedUpload[] }) {
  return (
    <ul className="intake-lines">
      {files.map(({ name, why }, n) => (
        <li key={n} className="intake-line">
          <FileName name={name} />
          <span className="secondary">{sentenceIn(why)}</span>
        </li>
      ))}
    </ul>
  )
}
