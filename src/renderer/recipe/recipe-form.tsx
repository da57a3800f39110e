import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { canEmbedTexts, compresses, encodesHere, makesTexts, uploads } from '../../shared/recipes/recipe-facts.ts'
import { namesUse } from '../../shared/recipes/name-template.ts'
import { MAX_SIZE_KB, MIN_SIZE_KB } from '../../shared/recipes/limits.ts'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { ChoiceList } from '../parts/choice-list.tsx'
import { Segmented, SelectField, TextField } from '../parts/field.tsx'
import { RangeField } from '../parts/range-field.tsx'
import { LanguageField } from './language-field.tsx'
import { OutputFields } from './output-fields.tsx'
import { ProjectField } from './project-field.tsx'
import { RulesField } from './rules-field.tsx'
import { WidthsField } from './widths-field.tsx'
import type { ProblemField, Problems } from './recipe-draft.ts'
import { recipeName } from './recipe-name.ts'
import { withOperation } from './with-operation.ts'

export interface RecipeFormProps {
  draft: UiRecipe
  onChange: (draft: UiRecipe) => void
  problems: Problems
  /** The initial language when texts are switched on. */
  fallbackLanguage: string
}

const OPERATIONS = ['process', 'analyze', 'optimize', 'convert'] as const
const METADATA = ['keep-without-location', 'keep-all', 'strip'] as const

/** What a group of fields gets: the recipe, how to change it, and what is wrong in a field. */
interface GroupProps {
  draft: UiRecipe
  change: (part: Partial<UiRecipe>) => void
  wrong: (field: ProblemField) => string | null
}

/** The fields that the operation uses; values of the others are kept but not shown. */
export function RecipeForm({ draft, onChange, problems, fallbackLanguage }: RecipeFormProps) {
  const { t } = useTranslation('recipe')
  const change = (part: Partial<UiRecipe>) => onChange({ ...draft, ...part })
  const wrong = (field: ProblemField) => {
    const problem = problems[field]
    return problem === undefined ? null : t(`problem.${problem}`)
  }
  return (
    <div className="recipe-form">
      <TextField
        label={t('name')}
        value={recipeName(draft.name)}
        error={wrong('name')}
        dir="auto"
        onChange={(event) => change({ name: event.target.value })}
      />
      <ChoiceList
        label={t('operation.label')}
        value={draft.operation}
        onChange={(operation) => onChange(withOperation(draft, operation, fallbackLanguage))}
        options={OPERATIONS.map((value) => ({
          value,
          label: t(`operation.${value}`),
          hint: t(`operation.hint.${value}`),
        }))}
      />
      {draft.operation === 'convert' ? (
        <ChoiceList
          label={t('convertOn.label')}
          value={draft.convertOn}
          onChange={(convertOn) => change({ convertOn })}
          options={(['here', 'service'] as const).map((value) => ({
            value,
            label: t(`convertOn.${value}`),
            hint: t(`convertOn.hint.${value}`),
          }))}
        />
      ) : null}
      {makesTexts(draft.operation) ? <TextFields draft={draft} change={change} wrong={wrong} /> : null}
      <FileFields draft={draft} change={change} wrong={wrong} />
      <Group title={t('group.results')}>
        <OutputFields draft={draft} change={change} error={wrong('output')} />
      </Group>
      {uploads(draft) ? <ServiceFields draft={draft} change={change} wrong={wrong} /> : null}
    </div>
  )
}

function TextFields({ draft, change, wrong }: GroupProps) {
  const { t } = useTranslation('recipe')
  return (
    <Group title={t('group.texts')}>
      <LanguageField
        languages={draft.languages}
        onChange={(languages) => change({ languages })}
        namesFiles={draft.operation === 'process' && namesUse(draft.naming, 'seo')}
        error={wrong('languages')}
      />
      {canEmbedTexts(draft.operation) ? (
        <SegmentedField
          label={t('embedTexts.label')}
          hint={t(draft.embedTexts ? 'embedTexts.hintYes' : 'embedTexts.hintNo')}
          value={draft.embedTexts ? 'yes' : 'no'}
          onChange={(value) => change({ embedTexts: value === 'yes' })}
          choices={[
            { value: 'no', label: t('embedTexts.no') },
            { value: 'yes', label: t('embedTexts.yes') },
          ]}
        />
      ) : null}
      <RulesField
        rules={draft.rules}
        languages={draft.languages}
        onChange={(rules) => change({ rules })}
        error={wrong('rules')}
      />
    </Group>
  )
}

function ServiceFields({ draft, change, wrong }: GroupProps) {
  const { t } = useTranslation('recipe')
  return (
    <Group title={t('group.service')}>
      <ProjectField project={draft.project} onChange={(project) => change({ project })} error={wrong('project')} />
      <ChoiceList
        label={t('oversize.label')}
        value={draft.oversize}
        onChange={(oversize) => change({ oversize })}
        options={(['refuse', 'downscale'] as const).map((value) => ({
          value,
          label: t(`oversize.${value}`),
          hint: t(`oversize.hint.${value}`),
        }))}
      />
    </Group>
  )
}

function FileFields({ draft, change, wrong }: GroupProps) {
  const { t } = useTranslation('recipe')
  const hasFormat = draft.operation === 'process' || draft.operation === 'convert'
  if (!hasFormat && !compresses(draft.operation)) return null
  return (
    <Group title={t('group.files')}>
      {hasFormat ? (
        <SegmentedField
          label={t('format')}
          value={draft.format}
          onChange={(format) => change({ format })}
          choices={[
            { value: 'webp', label: 'WebP' },
            { value: 'avif', label: 'AVIF' },
          ]}
        />
      ) : null}
      {encodesHere(draft) ? <EncodingFields draft={draft} change={change} wrong={wrong} /> : null}
      {encodesHere(draft) || compresses(draft.operation) ? (
        <SelectField
          label={t('metadata.label')}
          hint={t('metadata.hint')}
          value={draft.metadata}
          onChange={(metadata) => change({ metadata })}
          choices={METADATA.map((value) => ({ value, label: t(`metadata.${value}`) }))}
        />
      ) : null}
      {encodesHere(draft) ? (
        <SegmentedField
          label={t('keepLarger.label')}
          hint={t(draft.keepLarger ? 'keepLarger.hintKeep' : 'keepLarger.hintDrop')}
          value={draft.keepLarger ? 'keep' : 'drop'}
          onChange={(value) => change({ keepLarger: value === 'keep' })}
          choices={[
            { value: 'keep', label: t('keepLarger.keep') },
            { value: 'drop', label: t('keepLarger.drop') },
          ]}
        />
      ) : null}
      {compresses(draft.operation) ? (
        <RangeField
          label={t('minSaving.label')}
          hint={t(draft.minSavingPercent === 0 ? 'minSaving.hintAny' : 'minSaving.hint')}
          unit="%"
          least={0}
          most={100}
          value={draft.minSavingPercent}
          onChange={(minSavingPercent) => change({ minSavingPercent })}
        />
      ) : null}
    </Group>
  )
}

/** How large and how good what is encoded here gets. */
function EncodingFields({ draft, change, wrong }: GroupProps) {
  const { t } = useTranslation('recipe')
  return (
    <>
      <RangeField
        label={t('quality.label')}
        hint={t('quality.hint')}
        least={1}
        most={100}
        value={draft.quality}
        onChange={(quality) => change({ quality })}
      />
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
      <WidthsField widths={draft.widths} onChange={(widths) => change({ widths })} error={wrong('widths')} />
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
    </>
  )
}

const USUAL_LONG_EDGES = [1024, 1280, 1600, 1920, 2560, 3840]

/** None first; includes a value that was set on the command line. */
function longEdgeChoices(chosen: number | null): (number | null)[] {
  const edges = chosen === null ? USUAL_LONG_EDGES : [...new Set([...USUAL_LONG_EDGES, chosen])]
  return [null, ...edges.toSorted((a, b) => a - b)]
}

function SegmentedField<Value extends string>({
  label,
  hint,
  ...rest
}: { label: string; hint?: string } & Omit<ComponentProps<typeof Segmented<Value>>, 'label'>) {
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      <div>
        <Segmented label={label} {...rest} />
      </div>
      {hint === undefined ? null : <div className="field-hint">{hint}</div>}
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="recipe-group">
      <h3>{title}</h3>
      {children}
    </section>
  )
}
