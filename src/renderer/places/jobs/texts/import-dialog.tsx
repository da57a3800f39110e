import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageResponse } from '../../../../shared/contract/calls.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { editTexts } from '../../../store/edit-texts.ts'
import { endImporting, useTextWork } from '../../../store/text-work.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { TextChanges, type TextChange } from '../../../parts/text-changes.tsx'
import { countText } from '../../../text/figures.ts'
import './replace.css'

type Matched = PageResponse<'jobs.matchTexts'>

const MAX_SHOWN = 50

/** What the texts of a chosen file change, before they do. */
export default function ImportDialog() {
  const matched = useTextWork(({ importing }) => importing)
  return matched === null ? null : <Importing matched={matched} />
}

function Importing({ matched }: { matched: Matched }) {
  const { t, i18n } = useTranslation(['edits', 'common'])
  const [ended, setEnded] = useState<number | null>(null)
  const { changes, unchanged } = matched
  const figure = (number: number) => countText(number, i18n.language)
  const run = () =>
    inBackground('import-dialog.import', async () => {
      setEnded(0)
      const edits = changes.map(({ path: _, ...edit }) => edit)
      await editTexts(edits, setEnded).finally(endImporting)
    })
  return (
    <Dialog
      title={t('import.title')}
      onClose={ended === null ? endImporting : () => undefined}
      wide
      actions={
        <>
          <Button onClick={endImporting} disabled={ended !== null} data-autofocus={changes.length === 0}>
            {t(changes.length === 0 ? 'common:close' : 'common:cancel')}
          </Button>
          {changes.length === 0 ? null : (
            <Button kind="primary" disabled={ended !== null} onClick={run} data-autofocus>
              {ended === null
                ? t('import.run', { count: changes.length, figure: figure(changes.length) })
                : t('running', { ended: figure(ended), total: figure(changes.length) })}
            </Button>
          )}
        </>
      }
    >
      <p role="status">
        {t('found', { count: changes.length, figure: figure(changes.length) })}{' '}
        {unchanged === 0 ? null : t('import.unchanged', { count: unchanged, figure: figure(unchanged) })}
      </p>
      <Unusable {...matched} />
      {changes.length === 0 ? null : (
        <div className="replace-preview">
          <TextChanges list={changes.map(changeOf)} most={MAX_SHOWN} />
        </div>
      )}
    </Dialog>
  )
}

const changeOf = ({ id, path, languageCode, altText, seoFilename }: Matched['changes'][number]): TextChange => ({
  id,
  name: nameOf(path),
  languageCode,
  changes: [altText, seoFilename]
    .filter((change) => change !== null)
    .map(({ seen, to }) => ({ before: seen, after: to })),
})

/** What of the file cannot be used, each kind with the first names. */
function Unusable({ unknown, noLanguages, tooLong, contradictory }: Matched) {
  const { t, i18n } = useTranslation('edits')
  const kinds = [
    ['unknown', unknown],
    ['noLanguages', noLanguages],
    ['tooLong', tooLong.map(named)],
    ['contradictory', contradictory.map(named)],
  ] as const
  return (
    <ul className="import-unusable">
      {kinds.map(([kind, names]) =>
        names.length === 0 ? null : (
          <li key={kind}>
            {t(`import.${kind}`, { count: names.length, figure: countText(names.length, i18n.language) })}{' '}
            <span className="secondary">
              {straightText(names.slice(0, 3).map(nameOf).join(', '))}
              {names.length > 3 ? ' …' : ''}
            </span>
          </li>
        ),
      )}
    </ul>
  )
}

const named = ({ path, languageCode }: Matched['tooLong'][number]) => `${path} (${languageCode})`
const nameOf = (path: string) => path.slice(path.search(/[^/\\]*$/))
