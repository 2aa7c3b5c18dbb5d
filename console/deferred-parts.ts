import './whole.css'

export { Tooltip } from '@cloudflare/kumo/components/tooltip'
