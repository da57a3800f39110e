import { useTranslation } from 'react-i18next'
import type { RefusedUpload } from '../bridge/connection.ts'
import { sentenceIn } from '../store/error-text.ts'
import { FileName } from '../parts/file-name.tsx'

/** Files that were refused during an upload, each with the reason. */
export function LeftOut({ files }: { files: readonly RefusedUpload[] }) {
  const { t } = useTranslation('intake')
  if (files.length === 0) return null
  return (
    <details className="intake-details">
      <summary>{t('leftOut', { count: files.length })}</summary>
      <LeftOutList files={files} />
    </details>
  )
}

export function LeftOutList({ files }: { files: readonly RefusedUpload[] }) {
  return (
    <ul className="intake-refusals">
      {files.map(({ name, why }, n) => (
        <li key={n} className="intake-refusal">
          <FileName name={name} />
          <span className="secondary">{sentenceIn(why)}</span>
        </li>
      ))}
    </ul>
  )
}
