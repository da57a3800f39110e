import { DropdownMenu } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { useFloor } from './floor.ts'

export interface MenuItem {
  label: string
  onSelect: () => void
  icon?: ReactNode
  disabled?: boolean
  danger?: boolean
}

export interface MenuProps {
  /** Null is a separator. */
  items: readonly (MenuItem | null)[]
  /** The button that opens it. */
  children: ReactElement<React.ButtonHTMLAttributes<HTMLButtonElement>>
}

/** `isOpenAtOnce`: the button was pressed before this component had loaded. */
export default function MenuBehindButton({ items, children, isOpenAtOnce }: MenuProps & { isOpenAtOnce: boolean }) {
  const floor = useFloor()
  return (
    <DropdownMenu.Root modal={false} defaultOpen={isOpenAtOnce}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={floor}>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          {items.map((item, n) =>
            item === null ? (
              <DropdownMenu.Separator key={n} className="menu-line" />
            ) : (
              <DropdownMenu.Item
                key={n}
                className={item.danger === true ? 'menu-item danger' : 'menu-item'}
                disabled={item.disabled ?? false}
                onSelect={item.onSelect}
              >
                {item.icon}
                {item.label}
              </DropdownMenu.Item>
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
