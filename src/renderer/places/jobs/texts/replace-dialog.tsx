import { useMemo, useState } from 'react'
import { t } from 'i18next'
import type { PageResponse } from '../../../../shared/contract/calls.ts'
import type { WordSearch } from '../../../../shared/jobs/replace-words.ts'
import { endReplacing, useTextWork } from '../../../store/text-work.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { CheckField, TextField } from '../../../parts/field.tsx'
import { TextChanges, type TextChange } from '../../../parts/text-changes.tsx'
import { errorText } from '../../../store/error-text.ts'
import { useAnswer } from '../../../store/use-answer.ts'
import { useEditRun } from './use-edit-run.ts'
import './replace.css'

type Preview = PageResponse<'jobs.findInTexts'>

const TYPED_MS = 250
const MAX_SHOWN = 50

const changeOf = ({ before, after, ...text }: Preview['found'][number]): TextChange => ({
  ...text,
  changes: [{ before, after }],
})

/** Replaces words in the texts of several pictures after a preview of the changes. */
export default function ReplaceDialog() {
  const ids = useTextWork((work) => work.replaceIn)
  return ids === null ? null : <Replacing ids={ids} />
}

function Replacing({ ids }: { ids: readonly string[] }) {
  const [search, setSearch] = useState<WordSearch>({ find: '', replaceBy: '', matchCase: false, wholeWords: false })
  const question = useMemo(() => (search.find === '' ? null : { ids: [...ids], search }), [ids, search])
  const { value, error, isBusy } = useAnswer('jobs.findInTexts', question, TYPED_MS)
  const preview = isBusy ? null : value
  const { ended, isStopping, run, leave } = useEditRun(endReplacing)
  const count = preview?.found.length ?? 0
  const editsOf = () =>
    (preview?.found ?? []).map(({ id, languageCode, before, after }) => ({
      id,
      languageCode,
      altText: { seen: before, to: after },
      seoFilename: null,
    }))
  return (
    <Dialog
      title={t('edits:replace.title', { count: ids.length })}
      onClose={leave}
      wide
      actions={
        <>
          <Button onClick={leave} disabled={isStopping}>
            {t(ended === null ? 'common:cancel' : 'edits:stop')}
          </Button>
          <Button kind="primary" disabled={count === 0 || ended !== null} onClick={() => run(editsOf())}>
            {t('edits:replace.run', { count })}
          </Button>
        </>
      }
    >
      <fieldset className="replace-fields columns" disabled={ended !== null}>
        <SearchFields
          search={search}
          failure={isBusy || error === null ? null : errorText(error)}
          onChange={(part) => setSearch((before) => ({ ...before, ...part }))}
        />
      </fieldset>
      <div className="replace-preview">
        <p role="status" className="caption">
          {ended !== null ? t('edits:running', { ended, total: count }) : null}
          {ended === null && preview !== null ? t('edits:found', { count }) : null}
          {preview !== null && preview.more > 0 ? ` ${t('edits:replace.more', { count: preview.more })}` : null}
        </p>
        <TextChanges list={(preview?.found ?? []).map(changeOf)} most={MAX_SHOWN} />
      </div>
    </Dialog>
  )
}

function SearchFields({
  search,
  failure,
  onChange,
}: {
  search: WordSearch
  failure: string | null
  onChange: (part: Partial<WordSearch>) => void
}) {
  return (
    <>
      <TextField
        label={t('edits:replace.find')}
        error={failure}
        value={search.find}
        maxLength={500}
        data-autofocus
        dir="auto"
        onChange={({ target }) => onChange({ find: target.value })}
      />
      <TextField
        label={t('edits:replace.by')}
        value={search.replaceBy}
        maxLength={500}
        dir="auto"
        onChange={({ target }) => onChange({ replaceBy: target.value })}
      />
      {(['wholeWords', 'matchCase'] as const).map((name) => (
        <CheckField
          key={name}
          label={t(`edits:replace.${name}`)}
          checked={search[name]}
          onChange={(isOn) => onChange({ [name]: isOn })}
        />
      ))}
    </>
  )
}
