import { listText } from '../text/figures.ts'
import { ChevronDown } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { t } from 'i18next'
import { makesTexts } from '../../shared/recipes/recipe-facts.ts'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { Button } from '../parts/button.tsx'
import { Popover } from '../parts/popover.tsx'
import { LanguageList } from './language-list.tsx'
import { languageName } from './language-names.ts'
import { OutputChoice } from './output-choice.tsx'
import './recipe-chips.css'

export function Chip(given: {
  label: string
  value: string
  className?: string
  children: (close: () => void) => ReactNode
}) {
  const { label, value, className, children } = given
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      label={label}
      {...(className === undefined ? {} : { className })}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button className="chip" aria-label={`${label}: ${value}`}>
          <span className="ellipsis" title={value}>
            {value}
          </span>
          <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      {children(() => setOpen(false))}
    </Popover>
  )
}

interface ChipProps {
  recipe: UiRecipe
  onChange: (part: Partial<Pick<UiRecipe, 'languages' | 'output'>>) => void
}

/** Nothing where no texts are made. */
export function LanguagesChip({ recipe, onChange }: ChipProps) {
  const { languages } = recipe
  if (!makesTexts(recipe.operation)) return null
  const names = languages.map((code) => languageName(code))
  const value = names.length > 2 ? t('intake:summary.languages', { count: names.length }) : listText(names)
  return (
    <Chip label={t('recipe:languages.label')} value={value}>
      {() => <LanguageList languages={languages} onChange={(changed) => onChange({ languages: changed })} />}
    </Chip>
  )
}

export function OutputChip({ recipe, onChange }: ChipProps) {
  return (
    <Chip label={t('recipe:output.label')} value={t(`recipe:output.${recipe.output.kind}`)}>
      {(close) => <OutputChoice recipe={recipe} onChange={(output) => onChange({ output })} onPick={close} />}
    </Chip>
  )
}
