import { CaretDownIcon } from '@phosphor-icons/react'
import { SETTINGS_SECTIONS } from '../../shell/navigation/settings-sections.ts'
import { settingsText } from '../../text/settings.en.ts'

export function SectionList({ pathname }: { pathname: string }) {
  return (
    <nav aria-label={settingsText.sections.label} className="sticky top-12 self-start">
      <SectionLinks pathname={pathname} />
    </nav>
  )
}

export function SectionMenu({ pathname }: { pathname: string }) {
  const current = SETTINGS_SECTIONS.find((section) => section.to === pathname)
  return (
    <nav aria-label={settingsText.sections.label} className="mb-6">
      {/* With another page the key changes, so the list is mounted again and is folded. */}
      <details key={pathname} className="group rounded-lg bg-kumo-base ring-1 ring-kumo-line">
        <summary
          aria-label={`${settingsText.sections.choose}: ${current?.label ?? ''}`}
          className="flex min-h-11 cursor-pointer list-none items-center gap-2.5 rounded-lg px-3 font-medium text-kumo-strong [&::-webkit-details-marker]:hidden"
        >
          {current && <current.icon className="size-[18px] text-kumo-subtle" aria-hidden="true" />}
          <span className="min-w-0 flex-1 truncate">{current?.label ?? settingsText.sections.label}</span>
          <CaretDownIcon
            className="shrink-0 text-kumo-subtle transition-transform group-open:rotate-180"
            aria-hidden="true"
          />
        </summary>
        <div className="border-t border-kumo-hairline p-1.5">
          <SectionLinks pathname={pathname} />
        </div>
      </details>
    </nav>
  )
}

function SectionLinks({ pathname }: { pathname: string }) {
  return (
    <ul className="space-y-0.5">
      {SETTINGS_SECTIONS.map((section) => (
        <li key={section.to}>
          <a
            href={section.to}
            aria-current={section.to === pathname ? 'page' : undefined}
            className="flex min-h-9 items-center gap-2.5 rounded-lg px-2.5 text-kumo-subtle hover:bg-kumo-tint hover:text-kumo-default aria-[current]:bg-kumo-fill aria-[current]:font-medium aria-[current]:text-kumo-strong pointer-coarse:min-h-11"
          >
            <section.icon className="size-[18px] shrink-0" aria-hidden="true" />
            {section.label}
          </a>
        </li>
      ))}
    </ul>
  )
}
