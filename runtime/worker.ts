import { routeModule } from './handlers.gen.ts'
import { createApp } from './kernel/app.ts'

export default createApp(routeModule)
