import { listText } from '../text/figures.ts'
import { useState, type ReactNode } from 'react'
import { t, type ParseKeys } from 'i18next'
import { canEmbedTexts, compresses, encodesHere, makesTexts, uploads } from '../../shared/recipes/recipe-facts.ts'
import { MAX_SIZE_KB, MIN_SIZE_KB } from '../../shared/recipes/limits.ts'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { CheckField, ChoiceList, SegmentedField, SelectField, TextField } from '../parts/field.tsx'
import { RangeField } from '../parts/range-field.tsx'
import { NamesField } from './names-field.tsx'
import { ProjectField } from './project-field.tsx'
import { PRESET_NAMES, presetOf, withPreset } from './recipe-choice.ts'
import { LanguagesChip, OutputChip } from './recipe-chips.tsx'
import { RulesField } from './rules-field.tsx'
import { typedWidths, withOperation, writesFiles, type FieldProps, type Problems } from './recipe-draft.ts'
import { recipeName } from './recipe-name.ts'

interface RecipeFormProps {
  draft: UiRecipe
  onChange: (draft: UiRecipe) => void
  problems: Problems
}

export function RecipeForm({ draft, onChange, problems }: RecipeFormProps) {
  const change = (part: Partial<UiRecipe>) => onChange({ ...draft, ...part })
  return (
    <>
      <TextField
        label={t('recipe:name')}
        value={recipeName(draft.name)}
        error={problems.name === undefined ? null : t(`recipe:problem.${problems.name}`)}
        dir="auto"
        onChange={(event) => change({ name: event.target.value })}
      />
      <div className="presets columns" role="group" aria-label={t('recipe:makes')}>
        {PRESET_NAMES.map((name) => (
          <button
            key={name}
            type="button"
            className="card"
            aria-pressed={presetOf(draft) === name}
            onClick={() => onChange(withPreset(draft, name))}
          >
            {t(`common:presets.${name}`)}
          </button>
        ))}
      </div>
      <div className="row">
        <LanguagesChip recipe={draft} onChange={change} />
        <OutputChip recipe={draft} onChange={change} />
      </div>
      <More draft={draft} change={change} problems={problems} />
    </>
  )
}

/** The fields that the recipe uses. What is not as usual is named while they are folded; what is wrong unfolds them. */
function More({ draft, change, problems }: Pick<FieldProps, 'draft' | 'change'> & { problems: Problems }) {
  const [isOpen, setOpen] = useState(false)
  const problemOf = (member: keyof UiRecipe) => problems[member as keyof Problems]
  const isWrong = MORE.some(({ member }) => problemOf(member) !== undefined)
  const used = MORE.filter(({ isUsed }) => isUsed(draft))
  const isUsual = ({ member, usual }: MoreField) =>
    usual === undefined ? presetOf(draft) !== null : JSON.stringify(draft[member]) === JSON.stringify(usual)
  const unusual = used.filter((field) => !isUsual(field)).map(({ member }) => word(`${member}.label`))
  return (
    <details className="more" open={isOpen || isWrong} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary onClick={(event) => isWrong && event.preventDefault()}>
        {t('common:more')} <span className="secondary">{listText(unusual)}</span>
      </summary>
      <div className="recipe-form stack loose">
        {used.map(({ member, Field }) => {
          const problem = problemOf(member)
          const error = problem === undefined ? null : t(`recipe:problem.${problem}`)
          return <Field key={member} {...{ member, draft, change, error }} />
        })}
      </div>
    </details>
  )
}

type Key = ParseKeys<'recipe'>

const word = (key: string) => t(`recipe:${key as Key}`)

/** A member of the recipe, whose texts have its name. */
interface MoreField {
  member: keyof UiRecipe
  /** As in the recipe that Hangar comes with; without one, as in any preset. */
  usual?: unknown
  isUsed: (draft: UiRecipe) => boolean
  Field: (props: FieldProps) => ReactNode
}

const encodesOrCompresses = (draft: UiRecipe) => encodesHere(draft) || compresses(draft.operation)

const MORE: readonly MoreField[] = [
  {
    member: 'operation',
    isUsed: () => true,
    Field: choices('operation.process', 'operation.analyze', 'operation.optimize', 'operation.convert'),
  },
  {
    member: 'convertOn',
    usual: 'here',
    isUsed: ({ operation }) => operation === 'convert',
    Field: choices('convertOn.here', 'convertOn.service'),
  },
  {
    member: 'format',
    isUsed: ({ operation }) => operation === 'process' || operation === 'convert',
    Field: FormatField,
  },
  {
    member: 'embedTexts',
    usual: false,
    isUsed: ({ operation }) => canEmbedTexts(operation),
    Field: check(true, false),
  },
  { member: 'rules', usual: [], isUsed: ({ operation }) => makesTexts(operation), Field: RulesField },
  { member: 'quality', usual: 80, isUsed: encodesHere, Field: range({ min: 1, max: 100 }) },
  { member: 'longEdge', usual: null, isUsed: encodesHere, Field: LongEdgeField },
  { member: 'widths', usual: [], isUsed: encodesHere, Field: WidthsField },
  { member: 'maxSizeKb', usual: null, isUsed: encodesHere, Field: MaxSizeField },
  { member: 'metadata', usual: 'keep-without-location', isUsed: encodesOrCompresses, Field: MetadataField },
  { member: 'keepLarger', usual: false, isUsed: encodesHere, Field: check(true, false) },
  {
    member: 'minSavingPercent',
    usual: 0,
    isUsed: ({ operation }) => compresses(operation),
    Field: range({ min: 0, max: 100, unit: '%' }),
  },
  {
    member: 'replaceLosesExtras',
    usual: false,
    isUsed: ({ operation, output }) => output.kind === 'replace' && compresses(operation),
    Field: check(true, false),
  },
  { member: 'naming', usual: 'original', isUsed: writesFiles, Field: NamesField },
  { member: 'project', usual: null, isUsed: uploads, Field: ProjectField },
  { member: 'oversize', usual: 'refuse', isUsed: uploads, Field: check('downscale', 'refuse') },
]

/** One of a few, by their texts, each with what it means. */
function choices(...texts: Key[]) {
  return function Choices({ member, draft, change }: FieldProps) {
    const choose = (value: string) =>
      change(member === 'operation' ? withOperation(draft, value as UiRecipe['operation']) : { [member]: value })
    const options = texts.map((text) => {
      const value = text.slice(member.length + 1)
      return { value, label: t(`recipe:${text}`), hint: word(`${member}.hint.${value}`) }
    })
    return (
      <ChoiceList label={word(`${member}.label`)} choices={options} value={draft[member] as string} onChange={choose} />
    )
  }
}

/** One of two, of which the second is usual. */
function check(on: unknown, off: unknown) {
  return function Checked({ member, draft, change }: FieldProps) {
    return (
      <CheckField
        label={word(`${member}.label`)}
        hint={word(`${member}.hint`)}
        checked={draft[member] === on}
        onChange={(isOn) => change({ [member]: isOn ? on : off })}
      />
    )
  }
}

function range(bounds: { min: number; max: number; unit?: string }) {
  return function Range({ member, draft, change }: FieldProps) {
    return (
      <RangeField
        label={word(`${member}.label`)}
        hint={word(`${member}.hint`)}
        {...bounds}
        value={draft[member] as number}
        onChange={(value) => change({ [member]: value })}
      />
    )
  }
}

function FormatField({ draft, change }: FieldProps) {
  return (
    <SegmentedField
      label={t('recipe:format.label')}
      value={draft.format}
      onChange={(format) => change({ format })}
      choices={[
        { value: 'webp', label: 'WebP' },
        { value: 'avif', label: 'AVIF' },
      ]}
    />
  )
}

const USUAL_LONG_EDGES = [1024, 1280, 1600, 1920, 2560, 3840]

/** Includes a value that was set on the command line. */
function LongEdgeField({ draft: { longEdge }, change }: FieldProps) {
  const edges = [...new Set([...USUAL_LONG_EDGES, ...(longEdge === null ? [] : [longEdge])])].toSorted((a, b) => a - b)
  return (
    <SelectField
      label={t('recipe:longEdge.label')}
      hint={t('recipe:longEdge.hint')}
      value={String(longEdge ?? '')}
      onChange={(value) => change({ longEdge: value === '' ? null : Number(value) })}
      choices={[
        { value: '', label: t('recipe:longEdge.none') },
        ...edges.map((edge) => ({ value: String(edge), label: t('recipe:longEdge.pixels', { count: edge }) })),
      ]}
    />
  )
}

function MaxSizeField({ draft, change, error }: FieldProps) {
  return (
    <TextField
      label={t('recipe:maxSizeKb.label')}
      hint={t('recipe:maxSizeKb.hint')}
      error={error}
      placeholder={t('recipe:maxSizeKb.none')}
      type="number"
      min={MIN_SIZE_KB}
      max={MAX_SIZE_KB}
      value={draft.maxSizeKb ?? ''}
      onChange={({ target }) => change({ maxSizeKb: target.value === '' ? null : Number(target.value) })}
    />
  )
}

const METADATA = ['keep-without-location', 'keep-all', 'strip'] as const

function MetadataField({ draft, change }: FieldProps) {
  return (
    <SelectField
      label={t('recipe:metadata.label')}
      hint={t('recipe:metadata.hint')}
      value={draft.metadata}
      onChange={(metadata) => change({ metadata })}
      choices={METADATA.map((value) => ({ value, label: t(`recipe:metadata.${value}`) }))}
    />
  )
}

/** Widths in pixels as a typed list. Invalid text stays in the field, and is a problem of the draft. */
function WidthsField({ draft: { widths }, change, error }: FieldProps) {
  const [typed, setTyped] = useState(widths.join(', '))
  // The draft was replaced by another recipe.
  const isOther = typedWidths(typed).join() !== widths.join()
  return (
    <TextField
      label={t('recipe:widths.label')}
      hint={t('recipe:widths.hint')}
      error={error}
      placeholder={t('recipe:widths.none')}
      autoComplete="off"
      value={isOther ? widths.join(', ') : typed}
      onChange={(event) => {
        setTyped(event.target.value)
        change({ widths: typedWidths(event.target.value) })
      }}
    />
  )
}
