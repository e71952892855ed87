import { render } from 'preact';
import { keepFocus } from '../shared/keep-focus.ts';
import { readMeta } from '../shared/read-meta.ts';
import { followTheme } from '../shared/theme.ts';
import { App } from './app.tsx';
import { PageModel } from './page-model.ts';
import { takeSecretOfLink } from './secret.ts';

takeSecretOfLink();
followTheme();
keepFocus();
const page = new PageModel();
render(<App page={page} />, document.body);
page.start();

// The playground also opens offline.
if (readMeta('onwhere-offline') !== '') void navigator.serviceWorker?.register('./service-worker.js');
