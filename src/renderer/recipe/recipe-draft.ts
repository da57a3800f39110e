import {
  MAX_EDGE_PX,
  MAX_RULES,
  MAX_SIZE_KB,
  MAX_WIDTHS,
  MIN_EDGE_PX,
  MIN_SIZE_KB,
  ULID,
} from '../../shared/recipes/limits.ts'
import { isTemplate, parseNameTemplate } from '../../shared/recipes/name-template.ts'
import { compresses, encodesHere, makesTexts, uploads } from '../../shared/recipes/recipe-facts.ts'
import { finishedRules, isComplete } from './rule-draft.ts'
import type { UiRecipe } from '../../shared/contract/places.ts'
import type { Operation } from '../../shared/recipes/recipe.ts'

type ProblemField = 'name' | 'rules' | 'widths' | 'maxSizeKb' | 'output' | 'naming' | 'project'
export type Problem =
  | 'name_empty'
  | 'name_long'
  | 'name_taken'
  | 'rules_incomplete'
  | 'rules_many'
  | 'widths_unusable'
  | 'widths_many'
  | 'size_unusable'
  | 'replace_nothing'
  | 'template'
  | 'project_id'
  | 'project_name'
export type Problems = Partial<Record<ProblemField, Problem>>

/** What a field gets: the member that it is for, the recipe, how to change it, and what is wrong with that member. */
export interface FieldProps {
  member: keyof UiRecipe
  draft: UiRecipe
  change: (part: Partial<UiRecipe>) => void
  error: string | null
}

const MAX_NAME = 100
const MAX_PROJECT_NAME = 200

/** Changes the operation and resets what it does not support, so that no hidden field is invalid. */
export function withOperation(draft: UiRecipe, operation: Operation): UiRecipe {
  const output = draft.output.kind === 'replace' && !compresses(operation) ? { kind: 'beside' as const } : draft.output
  return { ...draft, operation, output }
}

/** Why a recipe cannot be saved, by field, in the order of the form. `taken` are the names of the other saved recipes. */
export function problemsOf(draft: UiRecipe, taken: readonly string[]): Problems {
  const problems: Problems = {}
  const name = draft.name.trim()
  if (name === '') problems.name = 'name_empty'
  else if (name.length > MAX_NAME) problems.name = 'name_long'
  else if (isTaken(name, taken)) problems.name = 'name_taken'
  if (makesTexts(draft.operation)) {
    if (!draft.rules.every(isComplete)) problems.rules = 'rules_incomplete'
    else if (draft.rules.length > MAX_RULES) problems.rules = 'rules_many'
  }
  if (encodesHere(draft)) {
    if (!draft.widths.every(isWidth)) problems.widths = 'widths_unusable'
    else if (new Set(draft.widths).size > MAX_WIDTHS) problems.widths = 'widths_many'
    if (draft.maxSizeKb !== null && !isSize(draft.maxSizeKb)) problems.maxSizeKb = 'size_unusable'
  }
  if (draft.output.kind === 'replace' && !compresses(draft.operation)) problems.output = 'replace_nothing'
  if (writesFiles(draft) && !isNaming(draft.naming)) problems.naming = 'template'
  const project = uploads(draft) ? projectProblem(draft.project) : null
  if (project !== null) problems.project = project
  return problems
}

function projectProblem(project: UiRecipe['project']): Problem | null {
  if (project === null) return null
  if (project.kind === 'id') return ULID.test(project.id.trim()) ? null : 'project_id'
  const length = project.name.trim().length
  return length > 0 && length <= MAX_PROJECT_NAME ? null : 'project_name'
}

/** Typed widths, such as `640, 1280` or `640w 1280w`; NaN for anything else. */
export function typedWidths(text: string): number[] {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '')
  return parts.map((part) => Number(part.replace(/(?:px|w)$/i, '')))
}

/** Whether names matter: files are made. */
export const writesFiles = (draft: UiRecipe): boolean => compresses(draft.operation) || encodesHere(draft)

const isNaming = (naming: string): boolean => !isTemplate(naming) || parseNameTemplate(naming).ok

const isWidth = (width: number): boolean => Number.isInteger(width) && width >= MIN_EDGE_PX && width <= MAX_EDGE_PX

const isSize = (kb: number): boolean => Number.isInteger(kb) && kb >= MIN_SIZE_KB && kb <= MAX_SIZE_KB

/** Ignores case. */
function isTaken(name: string, taken: readonly string[]): boolean {
  const same = (other: string) => other.trim().toLowerCase() === name.toLowerCase()
  return taken.some(same)
}

/** The name itself if it is free, else with the lowest free number from 2 on. */
export function freeName(name: string, taken: readonly string[]): string {
  const stem = name
    .trim()
    .slice(0, MAX_NAME - 4)
    .trimEnd()
  if (!isTaken(name.trim(), taken)) return name.trim()
  for (let n = 2; ; n++) if (!isTaken(`${stem} ${n}`, taken)) return `${stem} ${n}`
}

/** What is saved. Fields that the recipe does not use are hidden, so what is wrong in them is left out. */
export function finished(draft: UiRecipe): UiRecipe {
  const { project } = draft
  const trimmed: UiRecipe['project'] =
    project === null || !uploads(draft)
      ? projectProblem(project) === null
        ? project
        : null
      : project.kind === 'id'
        ? { kind: 'id', id: project.id.trim().toUpperCase() }
        : { kind: 'name', name: project.name.trim() }
  const widths = [...new Set(draft.widths.filter(isWidth))].toSorted((a, b) => a - b).slice(0, MAX_WIDTHS)
  const maxSizeKb = draft.maxSizeKb !== null && isSize(draft.maxSizeKb) ? draft.maxSizeKb : null
  const name = draft.name.trim()
  const naming = isNaming(draft.naming) ? draft.naming : 'original'
  return { ...draft, name, naming, widths, maxSizeKb, project: trimmed, rules: finishedRules(draft.rules) }
}

/** Whether there is nothing to save; a folder is compared by its path, because tokens differ. */
export function isSameRecipe(one: UiRecipe, other: UiRecipe): boolean {
  const parts = ({ output, ...rest }: UiRecipe) => ({
    ...rest,
    output: output.kind === 'folder' ? `folder:${output.path}` : output.kind,
  })
  const [a, b] = [parts(one), parts(other)]
  return (Object.keys(a) as (keyof typeof a)[]).every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]))
}
