import { CheckIcon } from '@phosphor-icons/react'
import { Menu } from '@cloudflare/kumo/primitives/menu'
import type { ReactNode } from 'react'

export interface Choice<T extends string> {
  value: T
  label: string
  icon?: ReactNode
}

/** The menu is positioned at `anchor`, the element that opened it. */
export interface ChoiceMenuProps<T extends string> {
  label: string
  anchor: HTMLElement
  choices: Choice<T>[]
  /** The current value; null when the selected tickets have different values. */
  value: T | null
  onChoose: (value: T) => void
  onClose: () => void
}

/** A menu of values beside the element that opened it. Typing a letter moves to a value. Closing the menu focuses that element again. */
export function ChoiceMenu<T extends string>(props: ChoiceMenuProps<T>) {
  return (
    <Menu.Root open onOpenChange={(open) => !open && props.onClose()}>
      <Menu.Portal>
        <Menu.Positioner anchor={props.anchor} side="bottom" align="start" sideOffset={4} className="z-50">
          <Menu.Popup
            aria-label={props.label}
            finalFocus={() => (props.anchor.isConnected ? props.anchor : false)}
            className="max-h-[var(--available-height)] min-w-48 overflow-y-auto rounded-lg bg-kumo-control p-1.5 text-kumo-default shadow-lg ring ring-kumo-line outline-none"
          >
            <Menu.RadioGroup value={props.value ?? ''}>
              {props.choices.map(({ value, label, icon }) => (
                <Menu.RadioItem
                  key={value}
                  value={value}
                  closeOnClick
                  onClick={() => props.onChoose(value)}
                  className="flex min-h-8 cursor-pointer items-center gap-2.5 rounded-md px-2 text-sm outline-none data-highlighted:bg-kumo-tint pointer-coarse:min-h-11"
                >
                  {icon}
                  <span className="min-w-0 flex-1 truncate">{label}</span>
                  {value === props.value && (
                    <CheckIcon weight="bold" className="size-3.5 text-tide" aria-hidden="true" />
                  )}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
