import { render } from 'preact';
import { followTheme } from '../shared/theme.ts';
import { App } from './app.tsx';
import { PageModel } from './page-model.ts';
import { takeSecretOfLink } from './secret.ts';

takeSecretOfLink();
followTheme();
const page = new PageModel();
render(<App page={page} />, document.body);
page.start();
