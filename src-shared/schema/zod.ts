/**
 * The only importer of zod. `jitless` keeps zod from compiling parsers with `new Function`,
 * which the page's content security policy forbids.
 */
import { z } from 'zod'

z.config({ jitless: true })

export { z }
