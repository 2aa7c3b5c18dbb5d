import { type ReactNode, useEffect, useState } from 'react'
import { manifest } from '../manifest.gen.ts'
import { icon, pages, people } from '../pages.gen.ts'
import { Link, usePath } from '../web/navigation.tsx'
import { Icon } from './icons.tsx'

// The first code point of the name, because half of a surrogate pair would show as a question mark.
const appInitial = String.fromCodePoint(manifest.name.trim().codePointAt(0) ?? 0x2022).toUpperCase()

/** The frame of the app: skip link, name, a menu of the pages in `app.json`, and the content. */
export function AppShell({ children }: { children: ReactNode }) {
  const path = usePath()
  // Computed here instead of in the module: pages import this kit, so `pages` may not be initialized when the module loads.
  const menu = pages.filter((page) => /^\/[^/:]*$/.test(page.path))
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => setIsOpen(false), [path])
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <header className="shell-bar">
        <div className="shell-bar-inner">
          <Link to="/" className="shell-name">
            <span className="shell-mark" aria-hidden="true">
              {icon === null ? appInitial : <Glyph path={icon} />}
            </span>
            <span className="shell-title">{manifest.name}</span>
          </Link>
          {menu.length > 1 && (
            <>
              <button
                type="button"
                className="icon-button shell-toggle"
                aria-expanded={isOpen}
                aria-controls="menu"
                aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
                onClick={() => setIsOpen(!isOpen)}
              >
                <Icon name={isOpen ? 'close' : 'menu'} />
              </button>
              <nav id="menu" className="shell-nav" data-open={isOpen} aria-label="Pages">
                {menu.map((page) => (
                  <Link
                    key={page.path}
                    to={page.path}
                    aria-current={isCurrent(page.path, path) ? 'page' : undefined}
                  >
                    {page.title}
                  </Link>
                ))}
              </nav>
            </>
          )}
          {people !== null && <people.Menu />}
        </div>
      </header>
      <main id="content" className="shell-content">
        {children}
      </main>
    </div>
  )
}

const Glyph = ({ path }: { path: string }) => (
  <svg viewBox="0 0 24 24" width="20" height="20">
    <path
      d={path}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
)

const isCurrent = (entry: string, path: string): boolean =>
  entry === path || (entry !== '/' && path.startsWith(`${entry}/`))
