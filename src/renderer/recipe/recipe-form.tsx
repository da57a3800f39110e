import { useState, type ReactNode } from 'react'
import type { ParseKeys } from 'i18next'
import { useTranslation } from 'react-i18next'
import { canEmbedTexts, compresses, encodesHere, makesTexts, uploads } from '../../shared/recipes/recipe-facts.ts'
import { listText } from '../../shared/text/list-text.ts'
import { MAX_SIZE_KB, MIN_SIZE_KB } from '../../shared/recipes/limits.ts'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { ChoiceList } from '../parts/choice-list.tsx'
import { CheckField, Segmented, SelectField, TextField } from '../parts/field.tsx'
import { RangeField } from '../parts/range-field.tsx'
import { NamesField } from './names-field.tsx'
import { ProjectField } from './project-field.tsx'
import { PRESET_NAMES, presetOf, withPreset } from './recipe-choice.ts'
import { LanguagesChip, OutputChip } from './recipe-chips.tsx'
import { RulesField } from './rules-field.tsx'
import { WidthsField } from './widths-field.tsx'
import { writesFiles, type ProblemField, type Problems } from './recipe-draft.ts'
import { recipeName } from './recipe-name.ts'
import { withOperation } from './with-operation.ts'

export interface RecipeFormProps {
  draft: UiRecipe
  onChange: (draft: UiRecipe) => void
  problems: Problems
}

const OPERATIONS = ['process', 'analyze', 'optimize', 'convert'] as const
const METADATA = ['keep-without-location', 'keep-all', 'strip'] as const

type Key = ParseKeys<'recipe'>

/** What a field gets: the recipe, how to change it, and what is wrong in a field. */
interface FieldProps {
  draft: UiRecipe
  change: (part: Partial<UiRecipe>) => void
  wrong: (field: ProblemField) => string | null
}

/** What most people set; everything else is under "More". */
export function RecipeForm({ draft, onChange, problems }: RecipeFormProps) {
  const { t } = useTranslation(['recipe', 'common'])
  const change = (part: Partial<UiRecipe>) => onChange({ ...draft, ...part })
  const wrong = (field: ProblemField) => {
    const problem = problems[field]
    return problem === undefined ? null : t(`problem.${problem}`)
  }
  return (
    <>
      <TextField
        label={t('name')}
        value={recipeName(draft.name)}
        error={wrong('name')}
        dir="auto"
        onChange={(event) => change({ name: event.target.value })}
      />
      <div className="presets" role="group" aria-label={t('makes')}>
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
      <div className="chips">
        <LanguagesChip recipe={draft} onChange={change} />
        <OutputChip recipe={draft} onChange={change} />
      </div>
      <More draft={draft} change={change} wrong={wrong} problems={problems} />
    </>
  )
}

/** The fields that the recipe uses. What is not as usual is named while they are folded; what is wrong unfolds them. */
function More({ problems, ...props }: FieldProps & { problems: Problems }) {
  const { draft } = props
  const { t, i18n } = useTranslation('recipe')
  const [isOpen, setOpen] = useState(false)
  const isWrong = MORE.some(({ problem }) => problem !== undefined && problems[problem] !== undefined)
  const used = MORE.filter(({ isUsed }) => isUsed(draft))
  const unusual = used.filter(({ isUsual }) => !isUsual(draft)).map(({ label }) => t(label))
  return (
    <details className="more" open={isOpen || isWrong} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary onClick={(event) => isWrong && event.preventDefault()}>
        {t('more')} <span className="secondary">{listText(unusual, i18n.language)}</span>
      </summary>
      <div className="recipe-form">
        {used.map(({ label, Field }) => (
          <Field key={label} {...props} />
        ))}
      </div>
    </details>
  )
}

interface MoreField {
  label: Key
  problem?: ProblemField
  isUsed: (draft: UiRecipe) => boolean
  /** It is as in the recipe that Hangar comes with. */
  isUsual: (draft: UiRecipe) => boolean
  Field: (props: FieldProps) => ReactNode
}

const hasFormat = ({ operation }: UiRecipe) => operation === 'process' || operation === 'convert'

const MORE: readonly MoreField[] = [
  {
    label: 'operation.label',
    isUsed: () => true,
    isUsual: (draft) => presetOf(draft) !== null,
    Field: ({ draft, change }) => (
      <Choices
        name="operation"
        values={OPERATIONS}
        value={draft.operation}
        onChange={(operation) => change(withOperation(draft, operation))}
      />
    ),
  },
  {
    label: 'convertOn.label',
    isUsed: ({ operation }) => operation === 'convert',
    isUsual: ({ convertOn }) => convertOn === 'here',
    Field: ({ draft, change }) => (
      <Choices
        name="convertOn"
        values={['here', 'service'] as const}
        value={draft.convertOn}
        onChange={(convertOn) => change({ convertOn })}
      />
    ),
  },
  { label: 'format', isUsed: hasFormat, isUsual: () => true, Field: FormatField },
  {
    label: 'embedTexts.label',
    isUsed: ({ operation }) => canEmbedTexts(operation),
    isUsual: ({ embedTexts }) => !embedTexts,
    Field: ({ draft, change }) => (
      <Checked name="embedTexts" isOn={draft.embedTexts} onChange={(embedTexts) => change({ embedTexts })} />
    ),
  },
  {
    label: 'rules.label',
    problem: 'rules',
    isUsed: ({ operation }) => makesTexts(operation),
    isUsual: ({ rules }) => rules.length === 0,
    Field: ({ draft, change, wrong }) => (
      <RulesField
        rules={draft.rules}
        languages={draft.languages}
        onChange={(rules) => change({ rules })}
        error={wrong('rules')}
      />
    ),
  },
  { label: 'quality.label', isUsed: encodesHere, isUsual: ({ quality }) => quality === 80, Field: QualityField },
  { label: 'longEdge.label', isUsed: encodesHere, isUsual: ({ longEdge }) => longEdge === null, Field: LongEdgeField },
  {
    label: 'widths.label',
    problem: 'widths',
    isUsed: encodesHere,
    isUsual: ({ widths }) => widths.length === 0,
    Field: ({ draft, change, wrong }) => (
      <WidthsField widths={draft.widths} onChange={(widths) => change({ widths })} error={wrong('widths')} />
    ),
  },
  {
    label: 'maxSize.label',
    problem: 'maxSizeKb',
    isUsed: encodesHere,
    isUsual: ({ maxSizeKb }) => maxSizeKb === null,
    Field: MaxSizeField,
  },
  {
    label: 'metadata.label',
    isUsed: (draft) => encodesHere(draft) || compresses(draft.operation),
    isUsual: ({ metadata }) => metadata === 'keep-without-location',
    Field: MetadataField,
  },
  {
    label: 'keepLarger.label',
    isUsed: encodesHere,
    isUsual: ({ keepLarger }) => !keepLarger,
    Field: ({ draft, change }) => (
      <Checked name="keepLarger" isOn={draft.keepLarger} onChange={(keepLarger) => change({ keepLarger })} />
    ),
  },
  {
    label: 'minSaving.label',
    isUsed: ({ operation }) => compresses(operation),
    isUsual: ({ minSavingPercent }) => minSavingPercent === 0,
    Field: MinSavingField,
  },
  {
    label: 'extras.label',
    isUsed: ({ operation, output }) => output.kind === 'replace' && compresses(operation),
    isUsual: ({ replaceLosesExtras }) => !replaceLosesExtras,
    Field: ({ draft, change }) => (
      <Checked
        name="extras"
        isOn={draft.replaceLosesExtras}
        onChange={(replaceLosesExtras) => change({ replaceLosesExtras })}
      />
    ),
  },
  {
    label: 'naming.label',
    problem: 'naming',
    isUsed: ({ operation, convertOn }) => writesFiles(operation, convertOn),
    isUsual: ({ naming }) => naming === 'original',
    Field: NamesField,
  },
  {
    label: 'project.label',
    problem: 'project',
    isUsed: uploads,
    isUsual: ({ project }) => project === null,
    Field: ({ draft, change, wrong }) => (
      <ProjectField project={draft.project} onChange={(project) => change({ project })} error={wrong('project')} />
    ),
  },
  {
    label: 'oversize.label',
    isUsed: uploads,
    isUsual: ({ oversize }) => oversize === 'refuse',
    Field: ({ draft, change }) => (
      <Checked
        name="oversize"
        isOn={draft.oversize === 'downscale'}
        onChange={(isOn) => change({ oversize: isOn ? 'downscale' : 'refuse' })}
      />
    ),
  },
]

/** One of a few, each with what it means. */
function Choices<Name extends 'operation' | 'convertOn', Value extends Extract<UiRecipe[Name], string>>(given: {
  name: Name
  values: readonly Value[]
  value: Value
  onChange: (value: Value) => void
}) {
  const { name, values, ...rest } = given
  const { t } = useTranslation('recipe')
  const labelOf = (value: Value) => t((name === 'operation' ? `operation.${value}` : `convertOn.${value}`) as Key)
  const options = values.map((value) => ({ value, label: labelOf(value), hint: t(`${name}.hint.${value}` as Key) }))
  return <ChoiceList label={t(`${name}.label` as Key)} options={options} {...rest} />
}

interface CheckedProps {
  name: 'embedTexts' | 'keepLarger' | 'extras' | 'oversize'
  isOn: boolean
  onChange: (isOn: boolean) => void
}

function Checked({ name, isOn, onChange }: CheckedProps) {
  const { t } = useTranslation('recipe')
  return <CheckField label={t(`${name}.label`)} hint={t(`${name}.hint`)} checked={isOn} onChange={onChange} />
}

function FormatField({ draft, change }: FieldProps) {
  const { t } = useTranslation('recipe')
  return (
    <div className="field">
      <span className="field-label">{t('format')}</span>
      <div>
        <Segmented
          label={t('format')}
          value={draft.format}
          onChange={(format) => change({ format })}
          choices={[
            { value: 'webp', label: 'WebP' },
            { value: 'avif', label: 'AVIF' },
          ]}
        />
      </div>
    </div>
  )
}

function QualityField({ draft, change }: FieldProps) {
  const { t } = useTranslation('recipe')
  return (
    <RangeField
      label={t('quality.label')}
      hint={t('quality.hint')}
      least={1}
      most={100}
      value={draft.quality}
      onChange={(quality) => change({ quality })}
    />
  )
}

function LongEdgeField({ draft, change }: FieldProps) {
  const { t } = useTranslation('recipe')
  return (
    <SelectField
      label={t('longEdge.label')}
      hint={t('longEdge.hint')}
      value={String(draft.longEdge ?? '')}
      onChange={(value) => change({ longEdge: value === '' ? null : Number(value) })}
      choices={longEdgeChoices(draft.longEdge).map((edge) => ({
        value: String(edge ?? ''),
        label: edge === null ? t('longEdge.none') : t('longEdge.pixels', { figure: edge }),
      }))}
    />
  )
}

function MaxSizeField({ draft, change, wrong }: FieldProps) {
  const { t } = useTranslation('recipe')
  return (
    <TextField
      label={t('maxSize.label')}
      hint={t('maxSize.hint')}
      error={wrong('maxSizeKb')}
      placeholder={t('maxSize.none')}
      type="number"
      min={MIN_SIZE_KB}
      max={MAX_SIZE_KB}
      value={draft.maxSizeKb ?? ''}
      onChange={({ target }) => change({ maxSizeKb: target.value === '' ? null : Number(target.value) })}
    />
  )
}

function MetadataField({ draft, change }: FieldProps) {
  const { t } = useTranslation('recipe')
  return (
    <SelectField
      label={t('metadata.label')}
      hint={t('metadata.hint')}
      value={draft.metadata}
      onChange={(metadata) => change({ metadata })}
      choices={METADATA.map((value) => ({ value, label: t(`metadata.${value}`) }))}
    />
  )
}

function MinSavingField({ draft, change }: FieldProps) {
  const { t } = useTranslation('recipe')
  return (
    <RangeField
      label={t('minSaving.label')}
      hint={t(draft.minSavingPercent === 0 ? 'minSaving.hintAny' : 'minSaving.hint')}
      unit="%"
      least={0}
      most={100}
      value={draft.minSavingPercent}
      onChange={(minSavingPercent) => change({ minSavingPercent })}
    />
  )
}

const USUAL_LONG_EDGES = [1024, 1280, 1600, 1920, 2560, 3840]

/** None first; includes a value that was set on the command line. */
function longEdgeChoices(chosen: number | null): (number | null)[] {
  const edges = chosen === null ? USUAL_LONG_EDGES : [...new Set([...USUAL_LONG_EDGES, chosen])]
  return [null, ...edges.toSorted((a, b) => a - b)]
}
