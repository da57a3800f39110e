import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageResponse } from '../../../../shared/contract/calls.ts'
import type { WordSearch } from '../../../../shared/jobs/replace-words.ts'
import { ask } from '../../../store/bridge.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { endReplacing, useTextWork } from '../../../store/text-work.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { TextField } from '../../../parts/field.tsx'
import { TextChanges, type TextChange } from '../../../parts/text-changes.tsx'
import { errorText } from '../../../store/error-text.ts'
import { countText } from '../../../text/figures.ts'
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
  const { t, i18n } = useTranslation(['edits', 'common'])
  const [search, setSearch] = useState<WordSearch>({ find: '', replaceBy: '', matchCase: false, wholeWords: false })
  const { preview, failure } = usePreview(ids, search)
  const { ended, isStopping, run, leave } = useEditRun(endReplacing)
  const count = preview?.found.length ?? 0
  const figure = (number: number) => countText(number, i18n.language)
  const editsOf = () =>
    (preview?.found ?? []).map(({ id, languageCode, before, after }) => ({
      id,
      languageCode,
      altText: { seen: before, to: after },
      seoFilename: null,
    }))
  return (
    <Dialog
      title={t('replace.title', { count: ids.length, figure: figure(ids.length) })}
      onClose={leave}
      wide
      actions={
        <>
          <Button onClick={leave} disabled={isStopping}>
            {t(ended === null ? 'common:cancel' : 'stop')}
          </Button>
          <Button kind="primary" disabled={count === 0 || ended !== null} onClick={() => run(editsOf())}>
            {t('replace.run', { count, figure: figure(count) })}
          </Button>
        </>
      }
    >
      <fieldset className="replace-fields" disabled={ended !== null}>
        <SearchFields
          search={search}
          failure={failure}
          onChange={(part) => setSearch((before) => ({ ...before, ...part }))}
        />
      </fieldset>
      <div className="replace-preview">
        <p role="status" className="caption">
          {ended !== null ? t('running', { ended: figure(ended), total: figure(count) }) : null}
          {ended === null && preview !== null ? t('found', { count, figure: figure(count) }) : null}
          {preview !== null && preview.more > 0 ? ` ${t('replace.more', { figure: figure(preview.more) })}` : null}
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
  const { t } = useTranslation('edits')
  return (
    <>
      <TextField
        label={t('replace.find')}
        error={failure}
        value={search.find}
        maxLength={500}
        data-autofocus
        dir="auto"
        onChange={({ target }) => onChange({ find: target.value })}
      />
      <TextField
        label={t('replace.by')}
        value={search.replaceBy}
        maxLength={500}
        dir="auto"
        onChange={({ target }) => onChange({ replaceBy: target.value })}
      />
      <Check label={t('replace.wholeWords')} isOn={search.wholeWords} set={(wholeWords) => onChange({ wholeWords })} />
      <Check label={t('replace.matchCase')} isOn={search.matchCase} set={(matchCase) => onChange({ matchCase })} />
    </>
  )
}

function Check({ label, isOn, set }: { label: string; isOn: boolean; set: (isOn: boolean) => void }) {
  return (
    <label className="check">
      <input type="checkbox" checked={isOn} onChange={({ target }) => set(target.checked)} />
      <span>{label}</span>
    </label>
  )
}

interface Found {
  preview: Preview | null
  failure: string | null
}

/** The preview of the replacement, requested when typing pauses. */
function usePreview(ids: readonly string[], search: WordSearch): Found {
  const [known, setKnown] = useState<(Found & { ids: readonly string[]; search: WordSearch }) | null>(null)
  useEffect(() => {
    if (search.find === '') return
    let isCurrent = true
    const timer = setTimeout(
      () =>
        inBackground('replace-dialog.preview', async () => {
          const answer = await ask('jobs.findInTexts', { ids: [...ids], search })
          if (!isCurrent) return
          const found = answer.ok
            ? { preview: answer.value, failure: null }
            : { preview: null, failure: errorText(answer.error) }
          setKnown({ ids, search, ...found })
        }),
      TYPED_MS,
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [ids, search])
  return known?.ids === ids && known.search === search ? known : NOTHING
}

const NOTHING: Found = { preview: null, failure: null }
