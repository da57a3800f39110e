import { useTranslation } from 'react-i18next'
import { ownText } from '../text/error-text.ts'
import { FileName } from '../ui/file-name.tsx'

type Refused = readonly { name: string; message: string }[]

/** Files that an upload did not take, each with what the server said. */
export function LeftOut({ files }: { files: Refused }) {
  const { t } = useTranslation('intake')
  if (files.length === 0) return null
  return (
    <details className="intake-details">
      <summary>{t('leftOut', { count: files.length })}</summary>
      <LeftOutList files={files} />
    </details>
  )
}

export function LeftOutList({ files }: { files: Refused }) {
  return (
    <ul className="intake-refusals">
      {files.map(({ name, message }, n) => (
        <li key={n} className="intake-refusal">
          <FileName name={name} />
          <span className="secondary">{ownText(message) ?? message}</span>
        </li>
      ))}
    </ul>
  )
}
