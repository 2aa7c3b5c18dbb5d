import { type ReactNode, useEffect } from 'react'
import { manifest } from '../manifest.gen.ts'
import { Link } from '../web/navigation.tsx'
import { Icon } from './icons.tsx'

interface PageProps {
  title: string
  description?: ReactNode
  actions?: ReactNode
  /** A link to the previous page: `{ to: '/', label: 'Plants' }`. */
  back?: { to: string; label: string } | undefined
  children: ReactNode
}

/** A page with heading, actions and content. Also sets the window's title. */
export function Page({ title, description, actions, back, children }: PageProps) {
  useEffect(() => {
    document.title = title === manifest.name ? title : `${title} · ${manifest.name}`
  }, [title])
  return (
    <div className="page">
      {back !== undefined && (
        <Link to={back.to} className="page-back">
          <Icon name="back" size={16} />
          {back.label}
        </Link>
      )}
      <header className="page-head">
        <div>
          {/* Focused after navigation inside the app, so that screen readers start here. */}
          <h1 tabIndex={-1}>{title}</h1>
          {description !== undefined && <p className="page-description">{description}</p>}
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
