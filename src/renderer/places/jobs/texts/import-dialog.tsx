import { useState } from 'react'
import { t } from 'i18next'
import type { PageResponse } from '../../../../shared/contract/calls.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { editTexts } from '../../../store/edit-texts.ts'
import { endImporting, useTextWork } from '../../../store/text-work.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { splitPath } from '../../../parts/split-path.ts'
import { TextChanges, type TextChange } from '../../../parts/text-changes.tsx'
import './import.css'

type Matched = PageResponse<'jobs.matchTexts'>

const MAX_SHOWN = 50

export default function ImportDialog() {
  const importing = useTextWork((work) => work.importing)
  if (importing === null) return null
  return 'reading' in importing ? <Reading name={importing.reading} /> : <Importing matched={importing} />
}

function Reading({ name }: { name: string }) {
  return (
    <Dialog
      title={t('edits:import.title')}
      onClose={endImporting}
      wide
      actions={
        <Button onClick={endImporting} data-autofocus>
          {t('common:cancel')}
        </Button>
      }
    >
      <p role="status">{t('edits:import.reading', { name: straightText(name) })}</p>
    </Dialog>
  )
}

function Importing({ matched }: { matched: Matched }) {
  const { changes, unchanged } = matched
  /** How many edits have ended; null before they begin. Those that were made stay when it is stopped, and can be undone. */
  const [ended, setEnded] = useState<number | null>(null)
  const [isStopping, setStopping] = useState(false)
  const [stop] = useState(() => new AbortController())
  const run = async () => {
    setEnded(0)
    const edits = changes.map(({ path: _, ...edit }) => edit)
    await editTexts(edits, setEnded, stop.signal).finally(endImporting)
  }
  const leave = () => {
    if (ended === null) return endImporting()
    setStopping(true)
    stop.abort()
  }
  return (
    <Dialog
      title={t('edits:import.title')}
      onClose={leave}
      wide
      actions={
        <>
          <Button onClick={leave} disabled={isStopping} data-autofocus={changes.length === 0}>
            {t(changes.length === 0 ? 'common:close' : ended === null ? 'common:cancel' : 'edits:stop')}
          </Button>
          {changes.length === 0 ? null : (
            <Button kind="primary" disabled={ended !== null} onClick={run} data-autofocus>
              {t('edits:import.run', { count: changes.length })}
            </Button>
          )}
        </>
      }
    >
      <p role="status">
        {ended === null
          ? t('edits:found', { count: changes.length })
          : t('edits:running', { ended, total: changes.length })}{' '}
        {unchanged === 0 ? null : t('edits:import.unchanged', { count: unchanged })}
      </p>
      <Unusable {...matched} />
      {changes.length === 0 ? null : (
        <div className="import-preview">
          <TextChanges list={changes.map(changeOf)} most={MAX_SHOWN} />
        </div>
      )}
    </Dialog>
  )
}

const changeOf = ({ id, path, languageCode, altText, seoFilename }: Matched['changes'][number]): TextChange => ({
  id,
  name: splitPath(path).name,
  languageCode,
  changes: [altText, seoFilename]
    .filter((change) => change !== null)
    .map(({ seen, to }) => ({ before: seen, after: to })),
})

function Unusable({ unread, unknown, otherContent, noLanguages, tooLong, contradictory }: Matched) {
  const kinds = [
    ['unread', unread.map(String)],
    ['unknown', unknown],
    ['otherContent', otherContent],
    ['noLanguages', noLanguages],
    ['tooLong', tooLong.map(named)],
    ['contradictory', contradictory.map(named)],
  ] as const
  return (
    <ul className="import-unusable stack tight breaks">
      {kinds.map(([kind, names]) =>
        names.length === 0 ? null : (
          <li key={kind}>
            {t(`edits:import.${kind}`, { count: names.length })}{' '}
            <span className="secondary">
              {straightText(
                names
                  .slice(0, 3)
                  .map((name) => splitPath(name).name)
                  .join(', '),
              )}
              {names.length > 3 ? ' …' : ''}
            </span>
          </li>
        ),
      )}
    </ul>
  )
}

const named = ({ path, languageCode }: Matched['tooLong'][number]) => `${path} (${languageCode})`
