import i18next, { t } from 'i18next'
import { useMemo, useState } from 'react'
import type { PageRequest, PageResponse } from '../../../../shared/contract/calls.ts'
import type { Place } from '../../../../shared/contract/places.ts'
import { say } from '../../../../shared/sentences/sentence.ts'
import { folderAddress } from '../../../../shared/text/folder-address.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { SelectField, TextField } from '../../../parts/field.tsx'
import { pickFolder } from '../../../pickers/pick-folder.tsx'
import { languageName } from '../../../recipe/language-names.ts'
import { ask } from '../../../store/bridge.ts'
import { errorText, sentenceIn } from '../../../store/error-text.ts'
import { saveText } from '../../../store/save-text.ts'
import { endExporting, useTextWork } from '../../../store/text-work.ts'
import { toast } from '../../../store/toasts.ts'
import { useAnswer } from '../../../store/use-answer.ts'

const KINDS = ['xliff', 'shopify', 'woocommerce', 'wordpress', 'markdown', 'html'] as const
type Kind = (typeof KINDS)[number]
const SHOPS: readonly Kind[] = ['shopify', 'woocommerce']

/** What a person chose; an empty language stands for all, or for the one that a translator chooses. */
interface Choices {
  kind: Kind
  language: string
  from: string
  to: string
  baseUrl: string
  folder: Place | null
}

/** Texts for other people and programs, which need more options than a format. */
export default function ExportDialog() {
  const ids = useTextWork(({ exporting }) => exporting)
  return ids === null ? null : <Exporting ids={ids} />
}

function Exporting({ ids }: { ids: readonly string[] }) {
  const question = useMemo(() => ({ ids: [...ids] }), [ids])
  const { value: exportable, error } = useAnswer('jobs.exportable', question)
  const [changed, setChanged] = useState<Partial<Choices>>({})
  const [isRunning, setRunning] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const languages = exportable?.languages ?? []
  const chosen = { ...firstChoices(exportable), ...changed }
  const change = (part: Partial<Choices>) => {
    setRefused(null)
    setChanged((before) => ({ ...before, ...part }))
  }
  const run = () =>
    inBackground(async () => {
      setRunning(true)
      const request = requestOf(ids, { ...chosen, language: languageOf(chosen, languages) })
      const answer = await ask('jobs.export', request).finally(() => setRunning(false))
      if (useTextWork.getState().exporting !== ids) return
      if (!answer.ok) return setRefused(errorText(answer.error))
      const { filename, type, text, tooLong, leftOut } = answer.value
      await saveText(filename, type, text)
      if (leftOut > 0) toast(t('edits:export.leftOut', { count: leftOut }))
      if (tooLong > 0) toast(t('edits:export.tooLong', { count: tooLong, program: kindText(chosen.kind) }))
      endExporting()
    })
  const nothing = exportable !== null && languages.length === 0 ? t('edits:export.none') : null
  return (
    <Dialog
      title={t('edits:export.title', { count: ids.length })}
      onClose={endExporting}
      actions={
        <>
          <Button onClick={endExporting}>{t('common:cancel')}</Button>
          <Button kind="primary" disabled={languages.length === 0 || !isComplete(chosen) || isRunning} onClick={run}>
            {t('jobs:export')}
          </Button>
        </>
      }
    >
      <div className="stack loose">
        <SelectField
          label={t('edits:export.for')}
          choices={KINDS.map((value) => ({ value, label: kindText(value) }))}
          value={chosen.kind}
          onChange={(kind) => change({ kind })}
          data-autofocus
        />
        {chosen.kind === 'xliff' ? (
          <Translation languages={languages} choices={chosen} change={change} />
        ) : (
          <Published languages={languages} choices={chosen} change={change} />
        )}
        <p role="alert" className="field-error">
          {refused ?? (error === null ? nothing : errorText(error))}
        </p>
      </div>
    </Dialog>
  )
}

interface Fields {
  languages: readonly string[]
  choices: Choices
  change: (part: Partial<Choices>) => void
}

function Translation({ languages, choices: { from, to }, change }: Fields) {
  const { value: listed } = useAnswer('languages.list', {})
  const codes = (listed?.languages ?? []).map(({ code }) => code).filter((code) => !languages.includes(code))
  const further = named(codes).toSorted((a, b) => a.label.localeCompare(b.label, i18next.language))
  return (
    <div className="columns">
      <SelectField
        label={t('edits:export.from')}
        choices={named(languages)}
        value={from}
        onChange={(code) => change({ from: code, to: to === code ? '' : to })}
      />
      <SelectField
        label={t('edits:export.to')}
        choices={[
          { value: '', label: t('edits:export.toAny') },
          ...named(languages.filter((code) => code !== from)),
          ...further,
        ]}
        value={to}
        onChange={(code) => change({ to: code })}
      />
    </div>
  )
}

function Published({ languages, choices: { kind, language, baseUrl, folder }, change }: Fields) {
  const choose = async () => {
    const place = await pickFolder(t('edits:export.folder'))
    if (place !== null) change({ folder: place })
  }
  return (
    <>
      <SelectField
        label={t('edits:export.language')}
        choices={[...(isProfile(kind) ? [] : [{ value: '', label: t('edits:export.all') }]), ...named(languages)]}
        value={languageOf({ kind, language }, languages)}
        onChange={(code) => change({ language: code })}
      />
      <TextField
        label={t('edits:export.address')}
        error={baseUrl.trim() === '' || folderAddress(baseUrl) !== null ? null : sentenceIn(say('export_address'))}
        hint={
          isProfile(kind)
            ? t('edits:export.addressHint')
            : `${t('edits:export.addressHint')}. ${t('edits:export.addressOptional')}`
        }
        type="url"
        dir="ltr"
        maxLength={2000}
        value={baseUrl}
        onChange={({ target }) => change({ baseUrl: target.value })}
      />
      <div className="field">
        <span>{t('edits:export.folder')}</span>
        <span className="row apart breaks">
          {folder === null ? t('edits:export.noFolder') : <bdi dir="ltr">{straightText(folder.path)}</bdi>}
          <Button onClick={() => choose()}>{t('edits:export.change')}</Button>
        </span>
        {SHOPS.includes(kind) ? <div className="field-hint">{t('edits:export.product')}</div> : null}
      </div>
    </>
  )
}

const kindText = (kind: Kind) => t(`edits:export.kinds.${kind}`)

type Exportable = PageResponse<'jobs.exportable'>

const named = (codes: readonly string[]) => codes.map((value) => ({ value, label: languageName(value) }))

function firstChoices(exportable: Exportable | null): Choices {
  const { languages = [], folder = null } = exportable ?? {}
  const from = firstLanguage(languages)
  const others = languages.filter((code) => code !== from)
  return {
    kind: 'xliff',
    language: '',
    from,
    to: others.length === 1 ? others[0]! : '',
    baseUrl: '',
    folder,
  }
}

/** English where it is there. */
const firstLanguage = (languages: readonly string[]) => (languages.includes('en') ? 'en' : (languages[0] ?? ''))

/** A table for a program is in one language. */
const languageOf = ({ kind, language }: Pick<Choices, 'kind' | 'language'>, languages: readonly string[]) =>
  isProfile(kind) && language === '' ? firstLanguage(languages) : language

const isProfile = (kind: Kind): kind is 'shopify' | 'woocommerce' | 'wordpress' =>
  kind === 'shopify' || kind === 'woocommerce' || kind === 'wordpress'

function isComplete({ kind, baseUrl, folder, from }: Choices): boolean {
  if (kind === 'xliff') return from !== ''
  if (baseUrl.trim() === '') return !isProfile(kind)
  return folder !== null && folderAddress(baseUrl) !== null
}

function requestOf(ids: readonly string[], choices: Choices): PageRequest<'jobs.export'> {
  const { kind, language, from, to, baseUrl, folder } = choices
  if (kind === 'xliff') return { ids: [...ids], format: kind, from, ...(to === '' ? {} : { to }) }
  return {
    ids: [...ids],
    ...(isProfile(kind) ? { format: 'csv', profile: kind } : { format: kind }),
    ...(language === '' ? {} : { languages: [language] }),
    ...(baseUrl.trim() === '' || folder === null ? {} : { published: { baseUrl, folder: folder.token } }),
  }
}
