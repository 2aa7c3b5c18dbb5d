import { DesktopIcon, type Icon, MoonIcon, SunIcon } from '@phosphor-icons/react'
import { useEffect, useId, useState } from 'react'
import { setSingleKeys, singleKeysEnabled } from '../../shell/keys/single-keys.ts'
import { chooseTheme, readThemeChoice, type ThemeChoice } from '../../shell/theme.ts'
import { accountText } from '../../text/account.en.ts'
import { text } from '../../text/en.ts'
import { Box, Section } from './section.tsx'

const THEME_CHOICES: { value: ThemeChoice; icon: Icon }[] = [
  { value: 'system', icon: DesktopIcon },
  { value: 'light', icon: SunIcon },
  { value: 'dark', icon: MoonIcon },
]
const appearanceText = accountText.appearance

/** Settings of the account page that are stored in this browser only. */
export function Appearance() {
  const id = useId()
  const [theme, setTheme] = useState(readThemeChoice)
  useEffect(() => {
    let known = readThemeChoice()
    // The account menu and the command palette also change the theme. Each change sets `data-mode`, so observe that attribute.
    const themed = new MutationObserver(() => {
      const stored = readThemeChoice()
      if (stored !== known) setTheme(stored)
      known = stored
    })
    themed.observe(document.documentElement, { attributeFilter: ['data-mode'] })
    return () => themed.disconnect()
  }, [])
  const [letters, setLetters] = useState(singleKeysEnabled)
  return (
    <Section title={appearanceText.title} lead={appearanceText.lead}>
      <Box>
        <fieldset>
          <legend className="mb-2 font-medium">{appearanceText.theme}</legend>
          <div className="grid gap-2 sm:grid-cols-[auto_1fr_1fr]">
            {THEME_CHOICES.map(({ value, icon: ThemeIcon }) => (
              <label
                key={value}
                className="flex min-h-10 cursor-pointer items-center gap-2.5 rounded-lg px-3 ring-1 ring-kumo-line hover:bg-kumo-tint has-checked:bg-tide-tint has-checked:ring-tide-line has-focus-visible:ring-2 has-focus-visible:ring-kumo-focus pointer-coarse:min-h-11"
              >
                <input
                  type="radio"
                  name="theme"
                  value={value}
                  checked={theme === value}
                  className="size-4 shrink-0 outline-none"
                  onChange={() => {
                    setTheme(value)
                    chooseTheme(value)
                  }}
                />
                <ThemeIcon className="size-[18px] shrink-0 text-kumo-subtle" aria-hidden="true" />
                <span className="min-w-0 leading-tight">{text.nav.themes[value]}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <div className="mt-5 flex items-start gap-3 border-t border-kumo-hairline pt-4">
          <input
            id={id}
            type="checkbox"
            checked={letters}
            aria-describedby={`${id}-hint`}
            className="mt-0.5 size-4 shrink-0"
            onChange={(event) => {
              setLetters(event.target.checked)
              setSingleKeys(event.target.checked)
            }}
          />
          <div className="min-w-0">
            <label htmlFor={id} className="block cursor-pointer font-medium">
              {appearanceText.letters}
            </label>
            <p id={`${id}-hint`} className="mt-0.5 text-[13px] text-pretty text-kumo-subtle">
              {appearanceText.lettersHint}
            </p>
          </div>
        </div>
      </Box>
    </Section>
  )
}
